// The crate `negentropy` on a pipe: one side of a reconciliation. First line: frame limit and items as `time:id`; then per line a command.
use negentropy::{Id, Negentropy, NegentropyStorageVector};
use std::io::{self, BufRead, Write};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hex")).collect()
}

fn ids(list: &[Id]) -> String {
    list.iter().map(|id| hex(id.as_bytes())).collect::<Vec<_>>().join(",")
}

fn main() {
    let stdin = io::stdin();
    let mut lines = stdin.lock().lines().map(|line| line.expect("a line"));
    let mut out = io::stdout();
    // "new LIMIT time:id time:id …", then "initiate", "answer HEX" or "learn HEX"
    while let Some(first) = lines.next() {
        let mut words = first.split(' ').skip(1);
        let limit: u64 = words.next().expect("limit").parse().expect("number");
        let mut storage = NegentropyStorageVector::new();
        for word in words.filter(|word| !word.is_empty()) {
            let (time, id) = word.split_once(':').expect("time:id");
            let id = Id::from_slice(&bytes(id)).expect("id");
            storage.insert(time.parse().expect("time"), id).expect("insert");
        }
        storage.seal().expect("seal");
        let mut side = Negentropy::borrowed(&storage, limit).expect("limit");
        for line in lines.by_ref() {
            let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
            let answer = match verb {
                "initiate" => hex(&side.initiate().expect("initiate")),
                "answer" => match side.reconcile(&bytes(rest)) {
                    Ok(message) => hex(&message),
                    Err(error) => format!("error {error}"),
                },
                "learn" => {
                    let (mut have, mut need) = (Vec::new(), Vec::new());
                    match side.reconcile_with_ids(&bytes(rest), &mut have, &mut need) {
                        Ok(next) => format!("{} {} {}", next.map(|m| hex(&m)).unwrap_or("-".into()), ids(&have), ids(&need)),
                        Err(error) => format!("error {error}"),
                    }
                }
                _ => break,
            };
            writeln!(out, "{answer}").expect("write");
            out.flush().expect("flush");
        }
    }
}
