//! Texts to measure with: of any size, each a mix of what such files are made of.

use std::fmt::Write as _;

/// What of a text an edit of one character breaks, and what is asked about.
pub struct Spot {
    /// 0-based line, and character in it, all of it being ASCII.
    pub line: usize,
    pub character: usize,
    /// What is typed there.
    pub typed: &'static str,
}

/// A text for one language's server.
pub struct Text {
    pub name: String,
    pub text: String,
    /// In the middle of the text, in the middle of a block.
    pub breaks: Spot,
    /// Where completion is asked for.
    pub completes: Spot,
    /// Where a name stands that hover explains.
    pub explains: Spot,
}

/// Files of one model, and which of them is open.
pub struct Model {
    pub files: Vec<(String, String)>,
    pub open: Text,
    /// So many findings the open file has when all of the model is known, where
    /// that is not known at once.
    pub findings: Option<usize>,
}

const HEAD: &str = include_str!("cells/head.dynamo");
const CELLS: [&str; 3] =
    [include_str!("cells/orders.dynamo"), include_str!("cells/catalogue.dynamo"), include_str!("cells/devices.dynamo")];

/// A model of at least so many lines in one file.
pub fn dynamo(lines: usize) -> Model {
    let (mut text, mut shops) = (HEAD.to_owned(), 0);
    while text.lines().count() < lines {
        text.push_str(&shop(shops, lines - text.lines().count()));
        shops += 1;
    }
    let open = spots("bench.dynamo", text.clone());
    Model { files: vec![("bench.dynamo".to_owned(), text)], open, findings: None }
}

/// The same over many files that one more imports; the open one is in the middle.
pub fn dynamo_in_files(lines: usize, files: usize) -> Model {
    let (mut all, mut shops) = (Vec::new(), 0);
    for number in 0..files {
        let mut text = String::new();
        while text.lines().count() < lines / files {
            text.push_str(&shop(shops, usize::MAX));
            shops += 1;
        }
        all.push((format!("part{number}.dynamo"), text));
    }
    let imports = all.iter().fold(String::new(), |mut text, (name, _)| {
        _ = writeln!(text, "import \"{name}\"");
        text
    });
    let (name, text) = &all[files / 2];
    let open = spots(name, text.clone());
    all.push(("bench.dynamo".to_owned(), format!("{imports}\n{HEAD}")));
    Model { files: all, open, findings: None }
}

/// One shop: every name in it is its own. What does not fit into the lines that are
/// left is left out, as far as the others do not need it.
fn shop(number: usize, left: usize) -> String {
    let mut text = String::new();
    for cell in CELLS.iter().take(if left < 200 { 2 } else { 3 }) {
        text.push_str(&cell.replace('7', &number.to_string()));
    }
    text
}

fn spots(name: &str, text: String) -> Text {
    // A name in a read, in the middle of its pattern: with one more character it
    // names nothing.
    let breaks = spot_at(&text, "  get Product", "Product", "x");
    let completes = spot_at(&text, "  get Product", "oduct", "");
    let explains = spot_at(&text, "pattern ProductPage", "ProductPage", "");
    Text { name: name.to_owned(), text, breaks, completes, explains }
}

/// The line nearest to the middle that begins so, and the place right behind the
/// start of `word` in it.
fn spot_at(text: &str, begins: &str, word: &str, typed: &'static str) -> Spot {
    let middle = text.lines().count() / 2;
    let lines = text.lines().enumerate().filter(|(_, line)| line.starts_with(begins));
    let (line, found) =
        lines.min_by_key(|(number, _)| number.abs_diff(middle)).expect("every text of the bench has such a line");
    let character = found.find(word).expect("the line holds the word") + 1;
    Spot { line, character, typed }
}

/// A schema of Prisma's of at least so many lines.
pub fn prisma(lines: usize) -> Text {
    let mut text = "datasource db {\n  provider = \"postgresql\"\n}\n\ngenerator client {\n  provider = \
                    \"prisma-client-js\"\n}\n"
        .to_owned();
    for number in 0.. {
        if text.lines().count() >= lines {
            break;
        }
        _ = write!(
            text,
            "\n/// A person who buys.\nmodel Buyer{number} {{\n  id        String   @id @default(uuid())\n  email     \
             String   @unique\n  name      String\n  plan      Plan{number}\n  createdAt DateTime \
             @default(now())\n  orders    Order{number}[]\n}}\n\nenum Plan{number} {{\n  free\n  plus\n  \
             business\n}}\n\nmodel Order{number} {{\n  id       String   @id\n  buyer    Buyer{number}   @relation(fields: \
             [buyerId], references: [id])\n  buyerId  String\n  total    Decimal\n  placedAt DateTime\n  lines    \
             Line{number}[]\n\n  @@index([buyerId, placedAt])\n}}\n\nmodel Line{number} {{\n  id       Int    @id \
             @default(autoincrement())\n  order    Order{number}  @relation(fields: [orderId], references: [id])\n  \
             orderId  String\n  sku      String\n  quantity Int\n  price    Decimal\n}}\n"
        );
    }
    let breaks = spot_at(&text, "  buyer    Buyer", "Buyer", "x");
    let completes = spot_at(&text, "  sku ", "String", "");
    let explains = spot_at(&text, "  buyer    Buyer", "Buyer", "");
    Text { name: "schema.prisma".to_owned(), text, breaks, completes, explains }
}

/// A TOML file of at least so many lines, as settings and lock files are.
pub fn toml(lines: usize) -> Text {
    let mut text = String::new();
    for number in 0.. {
        if text.lines().count() >= lines {
            break;
        }
        _ = write!(
            text,
            "# Shop number {number}.\n[shops.shop{number}]\nname = \"Shop {number}\"\nopen = true\nrating = \
             4.5\nsince = 2020-01-01T00:00:00Z\ntags = [\"books\", \"gifts\", \"toys\"]\nlimits = {{ orders = 100, \
             lines = 50 }}\n\n[[shops.shop{number}.users]]\nname = \"ana\"\nemail = \"ana@example.com\"\nage = \
             41\n\n[[shops.shop{number}.users]]\nname = \"rui\"\nemail = \"rui@example.com\"\nage = 39\n\n"
        );
    }
    let breaks = spot_at(&text, "age = 41", "41", "x");
    let completes = spot_at(&text, "open = true", "true", "");
    let explains = spot_at(&text, "rating = ", "rating", "");
    Text { name: "bench.toml".to_owned(), text, breaks, completes, explains }
}

/// A YAML file of at least so many lines, as deployments are.
pub fn yaml(lines: usize) -> Text {
    let mut text = "shops:\n".to_owned();
    for number in 0.. {
        if text.lines().count() >= lines {
            break;
        }
        _ = write!(
            text,
            "  # Shop number {number}.\n  shop{number}:\n    name: Shop {number}\n    open: true\n    rating: \
             4.5\n    tags:\n      - books\n      - gifts\n    limits: {{ orders: 100, lines: 50 }}\n    \
             users:\n      - name: ana\n        email: ana@example.com\n        age: 41\n      - name: rui\n        \
             email: rui@example.com\n        age: 39\n"
        );
    }
    let breaks = spot_at(&text, "    limits: {", "{", "{");
    let completes = spot_at(&text, "    open: true", "true", "");
    let explains = spot_at(&text, "    rating: ", "rating", "");
    Text { name: "bench.yaml".to_owned(), text, breaks, completes, explains }
}
