//! Guards of unique values: entities whose primary key is the value, put together
//! with what has it (S15).

use super::check::StepCx;
use super::finding::{Edit, Place};
use super::fixes::{attribute_lines, free_name, insert_after, pascal, plural, upper_snake};
use super::groups::into_transaction;
use crate::model::db::{Db, Decl, SourceFile};
use crate::model::defs::{self, *};
use crate::model::imports::model_decls;
use crate::model::layout::TableLayout;
use crate::model::lower::lowered;
use crate::model::names::{is_whole, names, style, table_def};
use crate::model::unique::UniqueValue;
use crate::syntax::strings::quote_name;
use crate::syntax::template::Format;

/// An entity whose values are to be guarded.
pub(crate) struct Guarded<'db> {
    pub db: &'db dyn Db,
    pub root: SourceFile,
    pub name: &'db str,
    pub entity: &'db EntityDef,
    /// Its declaration.
    pub decl: Decl,
    /// The table that holds it.
    pub layout: &'db TableLayout,
}

/// A guard: its entity and the table that holds it.
pub(crate) struct Guard {
    pub entity: String,
    pub table: String,
}

impl Guard {
    /// The step that claims the value for a new item.
    pub fn put(&self) -> String {
        format!("put {} into {} if not_exists", quote_name(&self.entity), quote_name(&self.table))
    }

    /// The step that gives the value free.
    pub fn delete(&self) -> String {
        format!("delete {} from {}", quote_name(&self.entity), quote_name(&self.table))
    }
}

/// The guards of these values, with the edits that declare those that there are not
/// yet and give them a place; `None` where a value cannot be a key.
pub(crate) fn guards(owner: &Guarded<'_>, open: &[UniqueValue<'_>]) -> Option<(Vec<Edit>, Vec<Guard>)> {
    // A guard repeats attributes of the entity: all of them have to be read first.
    let has_all = |value: &UniqueValue<'_>| value.names().all(|name| owner.entity.attribute(name).is_some());
    if !is_whole(owner.db, owner.decl) || !open.iter().all(has_all) {
        return None;
    }
    let mut edits = Vec::new();
    let mut guards: Vec<Guard> = Vec::new();
    let mut declarations = Vec::new();
    let mut tables = Vec::new();
    for value in open {
        if let Some(guard) = value.guards(owner.db, owner.root).first() {
            guards.push(Guard { entity: guard.item.entity.clone(), table: guard.layout.name.text.clone() });
            continue;
        }
        value.attribute.ty.key_type()?;
        let guard = new_guard(owner, value, &guards);
        // What is named already and nobody declares may be in the table and in the writes
        // as well: the guard would be there twice.
        if is_named(owner.db, owner.root, &Target::Entity, &guard.entity)
            || style(owner.db, owner.root) == Style::Aggregate
                && is_named(owner.db, owner.root, &Target::Table, &guard.table)
        {
            return None;
        }
        let format = format_in_keys(owner, &value.attribute.name.text);
        declarations.push(guard_entity(owner, value, &guard.entity));
        declarations.push(format!(
            "relationship {} 1:1 {} {{ identifying }}",
            quote_name(owner.name),
            quote_name(&guard.entity)
        ));
        match style(owner.db, owner.root) {
            Style::Aggregate => tables.push(guard_table(value, &guard, owner.name, format)),
            Style::SingleTable => edits.push(guard_item(owner, value, &guard.entity, format)?),
        }
        guards.push(guard);
    }
    if !declarations.is_empty() {
        edits.push(Edit::DeclarationAfter { decl: owner.decl, text: declarations.join("\n\n") });
    }
    if !tables.is_empty() {
        edits.push(Edit::DeclarationAfter { decl: owner.layout.decl, text: tables.join("\n\n") });
    }
    Some((edits, guards))
}

/// Whether something names an entity or a table of this name, declared or not.
fn is_named(db: &dyn Db, root: SourceFile, kind: &Target, name: &str) -> bool {
    let mut references = model_decls(db, root).iter().flat_map(|decl| &lowered(db, *decl).facts.references);
    references.any(|reference| reference.target == *kind && reference.name.text == name)
}

/// Names for a guard that nothing has yet.
fn new_guard(owner: &Guarded<'_>, value: &UniqueValue<'_>, others: &[Guard]) -> Guard {
    let all = names(owner.db, owner.root);
    let short = format!("{}Claim", pascal(&value.attribute.name.text));
    let taken = |name: &str| all.entity(name).is_some() || others.iter().any(|other| other.entity == name);
    let name = if taken(&short) { format!("{}{short}", pascal(owner.name)) } else { short };
    let entity = free_name(&name, taken);
    let table = match style(owner.db, owner.root) {
        Style::SingleTable => owner.layout.name.text.clone(),
        Style::Aggregate => free_name(&plural(&entity), |name| all.table(name).is_some()),
    };
    Guard { entity, table }
}

/// How the entity's keys write the attribute: a guard that told `Ana@x.com` from
/// `ana@x.com` where they do not would guard nothing.
fn format_in_keys(owner: &Guarded<'_>, attribute: &str) -> Format {
    let item = owner.layout.items.iter().find(|item| item.entity == owner.name);
    let holes = item.into_iter().flat_map(|item| item.keys.values()).flat_map(|key| key.value.holes());
    let mut formats = holes.filter(|hole| hole.name == attribute).map(|hole| hole.format);
    formats.find(|format| matches!(format, Format::Lower | Format::Upper)).unwrap_or(Format::Plain)
}

fn guard_entity(owner: &Guarded<'_>, value: &UniqueValue<'_>, guard: &str) -> String {
    let keys: Vec<&AttributeDef> = value.names().filter_map(|name| owner.entity.attribute(name)).collect();
    let mut lines = Vec::new();
    // In a table of many entities each says what it is.
    let kind = owner.entity.attributes.first().filter(|a| matches!(&a.ty, Type::Enum(names) if names.len() == 1));
    if let Some(kind) = kind.filter(|kind| !keys.iter().any(|key| key.name == kind.name)) {
        lines.push((quote_name(&kind.name.text), format!("enum({})", quote_name(guard))));
    }
    for key in &keys {
        let of = key.of.as_ref().map_or(String::new(), |of| format!(" @of({})", quote_name(&of.text)));
        lines.push((quote_name(&key.name.text), format!("{} @id{of}{}", key.ty.spelling(), size_of(key))));
    }
    let ids = owner.entity.ids().filter(|id| !keys.iter().any(|key| key.name == id.name));
    for id in ids {
        let of = format!("@of({})", quote_name(owner.name));
        lines.push((quote_name(&id.name.text), format!("{} {of}{}", id.ty.spelling(), size_of(id))));
    }
    let lines: Vec<String> = attribute_lines(&lines).into_iter().map(|line| format!("  {line}\n")).collect();
    // An optional value has fewer guards than there are entities.
    let count = owner.entity.count.as_ref().filter(|_| !value.attribute.optional);
    let count = count.map_or(String::new(), |count| format!("\n  count {}\n", count.written));
    let name = &value.attribute.name.text;
    format!(
        "/// Proves that the `{name}` of a `{}` is taken.\nentity {} {{\n{}{count}}}",
        owner.name,
        quote_name(guard),
        lines.concat()
    )
}

fn size_of(attribute: &AttributeDef) -> String {
    let Some(size) = &attribute.size else { return String::new() };
    let written = |value: &Option<defs::Value>| value.as_ref().map(|value| value.written.clone());
    match (written(&size.avg), written(&size.max)) {
        (Some(avg), Some(max)) if avg == max => format!(" @size({avg})"),
        (Some(avg), Some(max)) => format!(" @size(avg {avg}, max {max})"),
        (Some(avg), None) => format!(" @size(avg {avg})"),
        (None, Some(max)) => format!(" @size(max {max})"),
        (None, None) => String::new(),
    }
}

fn hole(name: &str, format: Format) -> String {
    let case = match format {
        Format::Lower => ":lower",
        Format::Upper => ":upper",
        _ => "",
    };
    format!("{{{}{case}}}", quote_name(name))
}

/// A table of its own, keyed by the value, or by its scope and the value.
fn guard_table(value: &UniqueValue<'_>, guard: &Guard, of: &str, format: Format) -> String {
    let name = value.attribute.name.text.as_str();
    let own = hole(name, format);
    let computed = |key: &str, holes: &str| format!(" {{ {} = \"{holes}\" }}", quote_name(key));
    let plain = format == Format::Plain;
    let scope: Vec<&str> = value.unique.scope.iter().map(|name| name.text.as_str()).collect();
    let (keys, values) = match scope.as_slice() {
        [] => (
            format!("  partition key {}\n", quote_name(name)),
            if plain { String::new() } else { computed(name, &own) },
        ),
        [scope] => (
            format!("  partition key {}\n  sort key {}\n", quote_name(scope), quote_name(name)),
            if plain { String::new() } else { computed(name, &own) },
        ),
        [first, rest @ ..] => {
            let holes: Vec<String> = rest.iter().map(|name| hole(name, Format::Plain)).chain([own]).collect();
            let sort = free_name("claim", |taken| value.names().any(|name| name == taken));
            (
                format!("  partition key {}\n  sort key {sort}: string\n", quote_name(first)),
                computed(&sort, &holes.join("#")),
            )
        }
    };
    format!(
        "/// Keeps the `{name}` of each `{of}` unique.\ntable {} {{\n{keys}\n  item {}{values}\n}}",
        quote_name(&guard.table),
        quote_name(&guard.entity)
    )
}

/// An item in the entity's own table: the prefix of its key is the guard's name,
/// which no other entity has.
fn guard_item(owner: &Guarded<'_>, value: &UniqueValue<'_>, guard: &str, format: Format) -> Option<Edit> {
    let table = table_def(owner.db, owner.layout.decl)?;
    let holder = owner.layout.item_of(owner.name)?;
    let after = table.items.iter().find(|item| item.entity.as_ref().is_some_and(|name| name.range == holder.range))?;
    let mut keys = owner.layout.primary_key();
    if owner.layout.primary_key().any(|key| key.ty.is_some_and(|ty| ty != KeyType::String)) {
        return None;
    }
    let scope = value.unique.scope.iter().map(|name| hole(&name.text, Format::Plain));
    let holes: Vec<String> = scope.chain([hole(&value.attribute.name.text, format)]).collect();
    let partition = format!("{} = \"{}#{}\"", quote_name(&keys.next()?.name), upper_snake(guard), holes.join("#"));
    let sort: Vec<String> = keys.map(|key| format!("{} = \"CLAIM\"", quote_name(&key.name))).collect();
    let values: Vec<String> = [partition].into_iter().chain(sort).map(|value| format!("  {value}\n")).collect();
    let lines = format!("item {} {{\n{}}}", quote_name(guard), values.concat());
    let text = &owner.layout.decl.chunk(owner.db).text;
    Some(insert_after(text, Place { decl: owner.layout.decl, range: after.range }, &lines))
}

/// Puts further steps into the transaction of a step, or makes one of it; `None`
/// where the step is in a batch, which knows no conditions, or reads.
pub(crate) fn in_transaction(text: &str, pattern: Decl, own: &StepCx<'_>, steps: &[String]) -> Option<Edit> {
    // What else a batch does may not fit a transaction.
    let fits = own
        .operation
        .group
        .as_ref()
        .is_none_or(|group| group.kind == GroupKind::Transact && group.mode == GroupMode::Write);
    let times = own.step.times.as_ref().map_or(String::new(), |times| format!(" times {}", times.written));
    let steps: Vec<String> = steps.iter().map(|step| format!("{step}{times}")).collect();
    fits.then(|| into_transaction(text, pattern, own, &steps))
}
