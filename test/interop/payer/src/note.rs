//! The text of a message: its preamble, the one slatepack in it, and the note in its `subject` tag.

pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const PREAMBLE: &str = "[Goblin] GRIN payment message \u{2014} open in Goblin (https://goblin.st) to process.";
const BEGIN: &str = "BEGINSLATEPACK.";
const END: &str = "ENDSLATEPACK.";
const MAX_ARMOR_BYTES: usize = 30_720;
const MAX_NOTE_CHARS: usize = 256;

/// Preamble, empty line, armor: what every slatepack message of this wallet looks like.
pub fn message(armor: &str) -> String {
    format!("{PREAMBLE}\n\n{}", armor.trim())
}

/// The one complete armor block of a message; nothing when there is none, a second one, or too much of it.
pub fn armor_of(content: &str) -> Option<&str> {
    let begin = content.find(BEGIN)?;
    let end = begin + content[begin..].find(END)? + END.len();
    let second = content[end..].find(BEGIN).map(|at| &content[end + at..]);
    if second.is_some_and(|rest| rest.contains(END)) {
        return None;
    }
    let armor = &content[begin..end];
    (armor.len() <= MAX_ARMOR_BYTES).then_some(armor)
}

/// One line of at most 256 characters without anything that changes how the rest is displayed; nothing when nothing is left.
pub fn note(text: &str) -> Option<String> {
    let spaced: String = text.chars().map(|c| if is_dangerous(c) { ' ' } else { c }).collect();
    let line = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = line.chars().take(MAX_NOTE_CHARS).collect();
    (!line.is_empty()).then_some(line)
}

pub fn without_dangerous(text: &str) -> String {
    text.chars().filter(|&c| !is_dangerous(c)).collect()
}

/// Control characters, direction marks and what has no width.
fn is_dangerous(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_armor_is_found_in_its_message() {
        let armor = "BEGINSLATEPACK. abc def. ENDSLATEPACK.";
        assert_eq!(armor_of(&message(armor)), Some(armor));
        assert_eq!(armor_of(&format!("{armor} and a stray BEGINSLATEPACK. without end")), Some(armor));
        assert_eq!(armor_of(&format!("{armor} {armor}")), None);
        assert_eq!(armor_of("no slatepack here"), None);
    }

    #[test]
    fn a_note_is_one_clean_line() {
        assert_eq!(note("  two\n\tcoffees \u{202e}please "), Some("two coffees please".into()));
        assert_eq!(note("\u{200b}\n "), None);
    }
}
