//! grinpay-payer: a customer's wallet for the interop tests. See README.md.

mod answer;
mod args;
mod bench;
mod envelope;
mod layout;
mod link;
mod nip44_v3;
mod node;
mod note;
mod payer;
mod post;
mod provider;
mod record;
mod say;
mod seed;
mod wallet;

use args::Args;
use note::Outcome;
use payer::Payer;
use say::say;

const USAGE: &str =
    "grinpay-payer pay|resend|finish|void|identity|read-link|make-wrap|open-wrap [--name value …] (README.md)";

async fn run(args: &Args) -> Outcome<()> {
    match args.command.as_str() {
        "pay" => Payer::open(args)?.pay(args).await,
        "resend" => Payer::open(args)?.resend(args).await,
        "finish" => Payer::open(args)?.finish(args).await,
        "void" => Payer::open(args)?.void(args).await,
        "identity" => Payer::open(args)?.identity(),
        "read-link" => bench::read_link(args.need("link")?),
        "make-wrap" => bench::make_wrap().await,
        "open-wrap" => bench::open_wrap().await,
        other => Err(format!("unknown command {other}\n{USAGE}").into()),
    }
}

#[tokio::main]
async fn main() {
    let done = match Args::parse(std::env::args().skip(1)) {
        Ok(args) => run(&args).await,
        Err(error) => Err(format!("{error}\n{USAGE}").into()),
    };
    if let Err(error) = done {
        say("failed", serde_json::json!({ "error": error.to_string() }));
        std::process::exit(1);
    }
}
