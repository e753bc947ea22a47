//! `command --name value …`: nothing else is understood.

use std::collections::HashMap;
use std::str::FromStr;

use crate::note::Outcome;

pub struct Args {
    pub command: String,
    named: HashMap<String, String>,
}

impl Args {
    pub fn parse(mut words: impl Iterator<Item = String>) -> Outcome<Self> {
        let command = words.next().ok_or("no command")?;
        let mut named = HashMap::new();
        while let Some(word) = words.next() {
            let name = word.strip_prefix("--").ok_or_else(|| format!("not an option: {word}"))?;
            let value = words.next().ok_or_else(|| format!("--{name} needs a value"))?;
            named.insert(name.to_owned(), value);
        }
        Ok(Args { command, named })
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.named.get(name).map(String::as_str)
    }

    pub fn need(&self, name: &str) -> Outcome<&str> {
        self.get(name).ok_or_else(|| format!("--{name} is missing").into())
    }

    pub fn number<T: FromStr>(&self, name: &str, default: T) -> Outcome<T> {
        match self.get(name) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| format!("--{name}: not a number: {text}").into()),
        }
    }
}
