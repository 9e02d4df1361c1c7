//! The catalogue of rules: what each finds, its page, its fixes, its settings.

#[path = "../support/mod.rs"]
mod support;

mod asking;
mod capacity;
mod clean_models;
mod concept_pages;
mod cost;
mod cost_advice;
mod design;
mod fixes_hold;
mod fixes_of_heat;
mod fixes_of_pages;
mod fixes_of_reads;
mod growing_keys;
mod half_typed;
mod hot_keys;
mod key_templates;
mod keys_and_names;
mod language;
mod operations;
mod pages;
mod references;
mod settings;
mod vscode_models;
