//! The tables as a CloudFormation template, ready to be deployed: what the model
//! declares, and nothing that it does not.

mod scaling;
mod table;
mod yaml;

use super::markdown::{code, codes, inline};
use super::outline::{Outline, shown};
use super::parts::Part;
use crate::capacity::prices::{Mode, mode};
use crate::capacity::traffic::traffic;
use crate::model::layout::layout;
use crate::rules::finding::Level;
use crate::rules::judge::judged;
use std::collections::BTreeSet;
use yaml::Yaml;

/// The appendix with the template.
pub(super) fn part(outline: &Outline<'_>) -> Part {
    Part::of_text("cloudformation", &text(outline))
}

fn text(outline: &Outline<'_>) -> String {
    let mut out = String::from("## Appendix: CloudFormation\n\n");
    if outline.tables.is_empty() {
        out.push_str("The model declares no table.\n");
        return out;
    }
    let mut template = Template::default();
    for entry in &outline.tables {
        let Some(layout) = layout(outline.db, outline.root, entry.decl) else {
            template.remarks.push(String::from("A table without a name is left out."));
            continue;
        };
        match table::resource(outline, entry, layout, &mut template) {
            Ok((resource, provisioned)) => {
                let id = template.id(&layout.name.text);
                template.resources.push((id.clone(), resource));
                if let Mode::Provisioned { utilization } = mode(outline.db, outline.root, entry.def) {
                    let traffic = traffic(outline.db, outline.root, entry.decl);
                    let (id, table, provisioned) = (id.as_str(), layout.name.text.as_str(), provisioned.as_slice());
                    let scaled = scaling::Scaled { id, table, provisioned, traffic, utilization };
                    scaling::add(&scaled, &mut template);
                }
            }
            Err(why) => template.remarks.push(format!("{} is left out: {why}.", code(&layout.name.text))),
        }
        let mut rules: BTreeSet<&str> = BTreeSet::new();
        let findings = &judged(outline.db, outline.root, entry.decl).findings;
        rules.extend(findings.iter().filter(|finding| finding.level == Level::Error).map(|finding| finding.rule.name));
        if !rules.is_empty() {
            template.remarks.push(format!("Errors stand against {}: {}.", code(&layout.name.text), codes(rules)));
        }
    }
    let remarks = std::mem::take(&mut template.remarks);
    if !template.resources.is_empty() {
        out.push_str(
            "The tables as the model declares them. They are kept when the stack is deleted; their attribute \
             definitions are exactly those of the keys.\n\n```yaml\n",
        );
        let description =
            format!("The tables of {}", outline.application.as_ref().and_then(|a| a.name).unwrap_or("the model"));
        out.push_str(&template.yaml(&description).document());
        out.push_str("```\n");
    }
    if !remarks.is_empty() {
        let lines: Vec<String> = remarks.iter().map(|remark| format!("- {remark}\n")).collect();
        out.push_str(&format!("\n{}", lines.concat()));
    }
    out
}

/// What is gathered for a template.
#[derive(Default)]
struct Template {
    parameters: Vec<(String, Yaml)>,
    resources: Vec<(String, Yaml)>,
    /// Sentences about what the template cannot say.
    remarks: Vec<String>,
    ids: BTreeSet<String>,
}

impl Template {
    /// A logical id for a name: letters and digits, and no other has it.
    fn id(&mut self, name: &str) -> String {
        let base = logical(name);
        let numbered = (2_usize..).map(|number| format!("{base}{number}"));
        let id = std::iter::once(base.clone()).chain(numbered).find(|id| !self.ids.contains(id)).unwrap_or(base);
        self.ids.insert(id.clone());
        id
    }

    fn yaml(self, description: &str) -> Yaml {
        // CloudFormation takes 1,024 bytes of it.
        let description: String = description.chars().take(200).collect();
        let mut entries = vec![
            (String::from("AWSTemplateFormatVersion"), Yaml::text("2010-09-09")),
            (String::from("Description"), Yaml::text(description)),
        ];
        if !self.parameters.is_empty() {
            entries.push((String::from("Parameters"), Yaml::Map(self.parameters)));
        }
        entries.push((String::from("Resources"), Yaml::Map(self.resources)));
        Yaml::Map(entries)
    }
}

/// A name in letters and digits: `user-orders.v2` becomes `UserOrdersV2`.
fn logical(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.map(|word| {
        let mut word = word.to_owned();
        word[..1].make_ascii_uppercase();
        word
    });
    let id: String = words.collect::<String>().chars().take(200).collect();
    if id.is_empty() { String::from("Table") } else { id }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logical_id_is_legal_and_nobody_elses() {
        let mut template = Template::default();
        let ids: Vec<String> =
            ["UserOrders", "user-orders", "user.orders", "…", "2nd"].iter().map(|name| template.id(name)).collect();
        assert_eq!(ids, ["UserOrders", "UserOrders2", "UserOrders3", "Table", "2nd"]);
    }
}
