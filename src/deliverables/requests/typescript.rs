//! Requests in TypeScript, for the document client of the AWS SDK for
//! JavaScript, version 3.

use super::call::{Call, Pages, below, ordered};
use super::form::{Form, form_of};
use super::identifiers::Identifiers;
use super::layout::{list, object};
use super::literals::{literal, string, template};
use super::returned::{Loop, Returned, Taken};
use crate::population::template::counted_instant;
use crate::requests::origin::{Origin, TemplatePart, part_text};
use crate::requests::wire::to_json;
use crate::syntax::template::Format;
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// So many keys one batch of gets takes.
const BATCH_GETS: usize = 100;

/// A module that sends these requests one after the other, and what each takes from
/// those before it.
pub(super) fn module(requests: &[Call<'_>]) -> (String, Vec<Vec<Taken>>) {
    let mut writer = Writer::default();
    let mut taken = Vec::new();
    let calls = requests.iter().map(|request| {
        let call = writer.call(request);
        // What is done for each item that was read says how many there are by itself.
        let is_looped = writer.looped.take().is_some();
        let many = request.of_many.iter().filter(|_| !is_looped);
        let remarks: String = many.chain(&request.remarks).map(|remark| format!("// {remark}\n")).collect();
        taken.push(std::mem::take(&mut writer.taken));
        format!("{remarks}{call}")
    });
    let calls: Vec<String> = calls.collect();
    let mut imports = writer.imports;
    imports.insert("DynamoDBDocumentClient");
    // Types are gone when the module runs, and have to say so.
    let imports = imports.into_iter().map(|name| match name.ends_with("Input") || name.ends_with("Output") {
        true => format!("type {name}"),
        false => name.to_owned(),
    });
    let imports: Vec<String> = imports.collect();
    let mut out = String::from("import { DynamoDBClient } from \"@aws-sdk/client-dynamodb\";\n");
    out.push_str(&match imports.join(", ") {
        short if short.len() < 70 => format!("import {{ {short} }} from \"@aws-sdk/lib-dynamodb\";\n\n"),
        _ => format!("import {{\n  {},\n}} from \"@aws-sdk/lib-dynamodb\";\n\n", imports.join(",\n  ")),
    });
    out.push_str("const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));\n\n");
    for constant in &writer.constants {
        let remark = constant.remark.as_ref().map(|remark| format!(" // {remark}")).unwrap_or_default();
        out.push_str(&format!("const {} = {};{remark}\n", constant.name, constant.value));
    }
    if !writer.constants.is_empty() {
        out.push('\n');
    }
    out.push_str(&calls.join("\n"));
    (out, taken)
}

/// An input of the caller.
pub(super) struct Constant {
    pub(super) input: String,
    name: String,
    pub(super) value: String,
    remark: Option<String>,
}

/// What is gathered while the calls are written.
#[derive(Default)]
pub(super) struct Writer {
    imports: BTreeSet<&'static str>,
    pub(super) constants: Vec<Constant>,
    pub(super) identifiers: Identifiers,
    /// The items that reads have returned, and what they are called.
    pub(super) returned: Vec<Returned>,
    /// What the call that is written takes from them.
    pub(super) taken: Vec<Taken>,
    /// What has to be there before the next call.
    pub(super) guards: Vec<String>,
    /// What counts the shards of the call that is written.
    shard: Option<String>,
    /// The items of a list, for each of which the call that is written is made.
    pub(super) looped: Option<Loop>,
}

impl Writer {
    fn call(&mut self, request: &Call<'_>) -> String {
        let Some(form) = form_of(request.operation) else { return String::new() };
        self.shard = request.shards.map(|_| self.identifiers.result("shard"));
        let call = match (form.paginate, request.pages, form.again) {
            (Some(paginate), Some(pages), _) => self.paged(request, paginate, pages),
            (Some(_), None, _) if request.shards.is_some() => self.of_shards(request, &form),
            (_, _, Some((input, left))) => self.again(request, &form, input, left),
            _ => self.once(request, &form),
        };
        self.shard = None;
        format!("{}{call}", std::mem::take(&mut self.guards).concat())
    }

    /// What is done once, or for each shard.
    fn each_shard(&self, request: &Call<'_>, done: String) -> String {
        let Some((shard, shards)) = self.shard.as_ref().zip(request.shards) else { return done };
        let done: String = done.lines().map(|line| format!("  {line}\n")).collect();
        format!("for (let {shard} = 0; {shard} < {shards}; {shard} += 1) {{\n{done}}}\n")
    }

    /// A query of every shard that reads one page of each.
    fn of_shards(&mut self, request: &Call<'_>, call: &Form) -> String {
        self.imports.insert(call.command);
        let body = self.body(request, &[]);
        let items = self.identifiers.result("items");
        let read = format!(
            "const {{ Items: found = [] }} = await client.send(new {}({body}));\n{items}.push(...found);\n",
            call.command
        );
        format!("const {items}: Record<string, unknown>[] = [];\n{}", self.each_shard(request, read))
    }

    /// What is done for each item of a list.
    fn for_each(&mut self, request: &Call<'_>, call: &Form, send: &str, item: &str, list: &str) -> String {
        let (mut before, mut read, mut after) = (String::new(), String::new(), String::new());
        if let Some((member, _)) = call.answer {
            let name = self.identifiers.result("items");
            self.returns(request, &name);
            before = format!("const {name}: Record<string, unknown>[] = [];\n");
            read = format!("const {{ {member}: found }} = ");
            after = format!("  if (found) {name}.push(found);\n");
        }
        let done: String = format!("{read}await {send};").lines().map(|line| format!("  {line}\n")).collect();
        format!("{before}for (const {item} of {list} as Record<string, any>[]) {{\n{done}{after}}}\n")
    }

    fn once(&mut self, request: &Call<'_>, call: &Form) -> String {
        self.imports.insert(call.command);
        self.looped = request.is_sent_again().then(Loop::default);
        let body = self.body(request, &[]);
        self.looped.take_if(|looped| looped.list.is_none());
        if let Some((item, list)) = self.looped.as_ref().and_then(Loop::of_list) {
            let command = call.command;
            return self.for_each(request, call, &format!("client.send(new {command}({body}))"), &item, &list);
        }
        let answer = call.answer.map(|(member, name)| {
            let name = self.identifiers.result(name);
            self.returns(request, &name);
            let default = if member == "Item" { "" } else { " = []" };
            format!("const {{ {member}: {name}{default} }} = ")
        });
        format!("{}await client.send(new {}({body}));\n", answer.unwrap_or_default(), call.command)
    }

    /// Notes what a call returns, under this name.
    fn returns(&mut self, request: &Call<'_>, name: &str) {
        let is_one = request.operation == "GetItem" && self.looped.is_none();
        for (place, (entity, item)) in request.returns.iter().enumerate() {
            let attributes = item.iter().map(|(name, value)| (name.clone(), to_json(value))).collect();
            self.returned.push(match is_one {
                true => Returned::one(name, entity, attributes),
                false => Returned::of_list(name, place, entity, attributes),
            });
        }
    }

    fn paged(&mut self, request: &Call<'_>, paginate: &'static str, pages: Pages) -> String {
        self.imports.insert(paginate);
        let body = self.body(request, &["Limit"]);
        let size = request.body.get("Limit").map(|limit| format!(", pageSize: {limit}")).unwrap_or_default();
        let items = self.identifiers.result("items");
        self.returns(request, &items);
        let mut out = format!("const {items}: Record<string, unknown>[] = [];\n");
        let (mut start, mut stop) = (String::new(), String::new());
        if let Pages::AtMost(most) = pages {
            let left = self.identifiers.result("pagesLeft");
            start = format!("let {left} = {most};\n");
            stop = format!("  {left} -= 1;\n  if ({left} === 0) break;\n");
        }
        let read = format!(
            "{start}for await (const page of {paginate}({{ client{size} }}, {body})) {{\n  {items}.push(...(page.Items ?? []));\n{stop}}}\n"
        );
        out.push_str(&self.each_shard(request, read));
        out
    }

    /// A batch is sent again with what was left undone.
    fn again(&mut self, request: &Call<'_>, call: &Form, input: &'static str, left: &'static str) -> String {
        self.imports.extend([call.command, input]);
        let body = request.body.get("RequestItems").map(|items| self.structure(request, items, "/RequestItems", 0));
        let body = body.unwrap_or_else(|| String::from("{}"));
        let name = self.identifiers.result("requestItems");
        let mut out = String::new();
        let (mut members, mut take) = (format!("{left}: left"), String::new());
        if let Some((member, result)) = call.answer {
            let result = self.identifiers.result(result);
            out.push_str(&format!("const {result}: Record<string, unknown>[] = [];\n"));
            members = format!("{member}: found = {{}}, {members}");
            take = format!("  {result}.push(...Object.values(found).flat());\n");
        }
        let sent = format!(
            "let {name}: {input}[\"RequestItems\"] = {body};\n\
             while ({name} && Object.keys({name}).length > 0) {{\n  const {{ {members} }}: {output} = await client.send(\n    \
             new {command}({{ RequestItems: {name} }}),\n  );\n{take}  {name} = left;\n}}\n",
            output = match call.command {
                "BatchGetCommand" => "BatchGetCommandOutput",
                _ => "BatchWriteCommandOutput",
            },
            command = call.command,
        );
        // As many keys as one call takes, again and again; with none there is no call.
        out.push_str(&match self.looped.as_ref().and_then(|looped| looped.keys.as_ref()) {
            Some(keys) => {
                let sent: String = sent.lines().map(|line| format!("  {line}\n")).collect();
                format!("for (let start = 0; start < {keys}.length; start += {BATCH_GETS}) {{\n{sent}}}\n")
            }
            None => sent,
        });
        self.imports.insert(match call.command {
            "BatchGetCommand" => "BatchGetCommandOutput",
            _ => "BatchWriteCommandOutput",
        });
        out
    }

    /// The body of a request without some of its entries.
    fn body(&mut self, request: &Call<'_>, without: &[&str]) -> String {
        let entries = ordered(request.body).into_iter().filter(|(name, _)| !without.contains(name));
        let entries = entries.map(|(name, value)| (name, self.part(request, name, value, &below("", name), 1)));
        object(entries.collect(), 0, true)
    }

    /// A part of a request: what holds attributes is written as the document client
    /// takes it, all else as it is.
    fn part(&mut self, request: &Call<'_>, name: &str, value: &Json, pointer: &str, depth: usize) -> String {
        match (name, value) {
            ("Key" | "Item" | "ExpressionAttributeValues", Json::Object(attributes)) => {
                self.attributes(request, attributes, pointer, depth)
            }
            ("Keys", Json::Array(keys)) => {
                if let Some(all) = self.of_each(request, keys, pointer) {
                    return all;
                }
                let keys = keys.iter().enumerate().map(|(at, one)| match one {
                    Json::Object(one) => self.attributes(request, one, &below(pointer, &at.to_string()), depth + 1),
                    other => other.to_string(),
                });
                list(keys.collect(), depth)
            }
            ("ClientRequestToken", Json::String(token)) if depth == 1 => {
                let remark = "a new one for each call, and the same where it is tried again";
                self.constant("client_request_token", string(token), Some(String::from(remark)))
            }
            _ => self.structure(request, value, pointer, depth),
        }
    }

    fn structure(&mut self, request: &Call<'_>, value: &Json, pointer: &str, depth: usize) -> String {
        // The names right below are those of tables, whatever they are called, and
        // those of the placeholders below these.
        let named = pointer == "/RequestItems" || pointer.ends_with("/ExpressionAttributeNames");
        match value {
            Json::Object(entries) => {
                let entries = ordered(entries).into_iter().map(|(name, value)| {
                    let pointer = below(pointer, name);
                    let value = match named {
                        true => self.structure(request, value, &pointer, depth + 1),
                        false => self.part(request, name, value, &pointer, depth + 1),
                    };
                    (name, value)
                });
                object(entries.collect(), depth, false)
            }
            Json::Array(values) => {
                let values = values
                    .iter()
                    .enumerate()
                    .map(|(at, value)| self.structure(request, value, &below(pointer, &at.to_string()), depth + 1));
                list(values.collect(), depth)
            }
            Json::String(text) => string(text),
            other => other.to_string(),
        }
    }

    pub(super) fn attributes(
        &mut self,
        request: &Call<'_>,
        attributes: &Map<String, Json>,
        pointer: &str,
        depth: usize,
    ) -> String {
        let entries = attributes.iter().map(|(name, value)| {
            let origin = request.origin(&below(pointer, name));
            let made = origin.and_then(|origin| self.made(origin, value));
            (name.as_str(), made.unwrap_or_else(|| self.literal(value, depth + 1)))
        });
        object(entries.collect(), depth, false)
    }

    /// A value made of what the caller supplies; `None` where it is none, or where
    /// JavaScript would not make this value of it.
    fn made(&mut self, origin: &Origin, value: &Json) -> Option<String> {
        let parts = match origin {
            Origin::Constant => return None,
            Origin::Attribute(name) | Origin::Parameter(name) => {
                return Some(self.supplied(name, value));
            }
            Origin::Template(parts) => parts,
        };
        let spelled: String = parts.iter().map(part_text).collect();
        let is_text = |part: &TemplatePart| match part {
            // A number is put into a string as JavaScript writes it.
            TemplatePart::Hole { format: Format::Plain | Format::Padded(_), value, .. } => {
                let value = to_json(value);
                let is_plain = |number: &str| number == literal(&value, 0).0 && !number.starts_with('-');
                let number = value.get("N").and_then(Json::as_str);
                value.get("S").is_some() || number.is_some_and(is_plain)
            }
            TemplatePart::Hole { format: Format::Time(_), value, .. } => {
                counted_instant(value).is_some() || to_json(value).get("S").is_some()
            }
            TemplatePart::Hole { format: Format::Lower | Format::Upper, value, .. } => {
                to_json(value).get("S").is_some()
            }
            _ => true,
        };
        if value.get("S").and_then(Json::as_str) != Some(spelled.as_str()) || !parts.iter().all(is_text) {
            return None;
        }
        Some(template(parts, |part| self.hole(part)))
    }

    /// What stands in a hole of a template string.
    fn hole(&mut self, part: &TemplatePart) -> String {
        let TemplatePart::Hole { name, format, value } = part else { return String::new() };
        if let (Format::Shard(_), Some(shard)) = (format, &self.shard) {
            return shard.clone();
        }
        if let Format::Shard(shards) = format {
            let remark = format!("the shard of this {name}: its hash modulo {shards}");
            return self.constant(&format!("{name}_shard"), string(&part_text(part)), Some(remark));
        }
        let name = self.supplied(name, &to_json(value));
        match format {
            Format::Plain | Format::Shard(_) => name,
            Format::Padded(width) => format!("String({name}).padStart({width}, \"0\")"),
            Format::Time(part) if counted_instant(value).is_some() => {
                format!("new Date({name} * 1000).toISOString().slice(0, {})", part.length())
            }
            Format::Time(part) => format!("{name}.slice(0, {})", part.length()),
            Format::Lower => format!("{name}.toLowerCase()"),
            Format::Upper => format!("{name}.toUpperCase()"),
        }
    }

    /// The constant of an input. The same value of the same input is one.
    pub(super) fn constant(&mut self, input: &str, value: String, remark: Option<String>) -> String {
        let known = self.constants.iter().find(|constant| constant.input == input && constant.value == value);
        if let Some(known) = known {
            return known.name.clone();
        }
        let name = self.identifiers.like(input);
        self.constants.push(Constant { input: input.to_owned(), name: name.clone(), value, remark });
        name
    }

    pub(super) fn literal(&mut self, value: &Json, depth: usize) -> String {
        let (written, exact) = literal(value, depth);
        if exact {
            self.imports.insert("NumberValue");
        }
        written
    }
}
