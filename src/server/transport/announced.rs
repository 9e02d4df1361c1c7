//! What a client announces, made readable. One capability that is not as the
//! protocol has it must not cost the session: it counts as not announced.

use serde_json::{Map, Value};
use tower_lsp::ls_types::ClientCapabilities;

/// Takes out of the capabilities of an `initialize` what cannot be read.
pub fn mend(message: &mut Value) {
    if message.get("method").and_then(Value::as_str) != Some("initialize") {
        return;
    }
    let Some(capabilities) = message.pointer_mut("/params/capabilities") else { return };
    // The protocol allows an object for a plain yes here, the type does not.
    if let Some(range) = capabilities.pointer_mut("/textDocument/semanticTokens/requests/range")
        && range.is_object()
    {
        *range = Value::Bool(true);
    }
    if is_readable(capabilities) {
        return;
    }
    let Some(groups) = capabilities.as_object_mut() else {
        *capabilities = Value::Object(Map::new());
        return;
    };
    groups.retain(|group, announced| {
        if let Some(announced) = announced.as_object_mut() {
            announced.retain(|name, what| {
                let alone = Map::from_iter([(name.clone(), what.clone())]);
                is_readable(&Value::Object(Map::from_iter([(group.clone(), Value::Object(alone))])))
            });
        }
        is_readable(&Value::Object(Map::from_iter([(group.clone(), announced.clone())])))
    });
}

fn is_readable(capabilities: &Value) -> bool {
    serde_json::from_value::<ClientCapabilities>(capabilities.clone()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn mended(capabilities: Value) -> Value {
        let mut message = json!({"method": "initialize", "params": {"capabilities": capabilities}});
        mend(&mut message);
        message["params"]["capabilities"].take()
    }

    #[test]
    fn what_can_be_read_stays() {
        let tokens = |range: Value| {
            json!({"textDocument": {"hover": {}, "semanticTokens": {
                "requests": {"range": range, "full": {"delta": true}},
                "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"]
            }}})
        };
        assert_eq!(mended(tokens(json!(true))), tokens(json!(true)));
        assert_eq!(mended(tokens(json!({}))), tokens(json!(true)));
    }

    #[test]
    fn what_cannot_is_not_announced_and_takes_nothing_else_along() {
        let announced = json!({
            "textDocument": {"hover": {"contentFormat": 7}, "rename": {"prepareSupport": true}},
            "workspace": {"applyEdit": "yes", "configuration": true},
            "window": 3
        });
        let left = json!({
            "textDocument": {"rename": {"prepareSupport": true}},
            "workspace": {"configuration": true}
        });
        assert_eq!(mended(announced), left);
        assert_eq!(mended(json!([1])), json!({}));
    }

    #[test]
    fn other_messages_are_left_alone() {
        let mut message = json!({"method": "textDocument/hover", "params": {"capabilities": {"window": 3}}});
        let before = message.clone();
        mend(&mut message);
        assert_eq!(message, before);
    }
}
