//! What the caller reads: one line of JSON for everything that happens.

use serde_json::{json, Value};

pub fn say(event: &str, mut fields: Value) {
    fields["event"] = json!(event);
    println!("{fields}");
}
