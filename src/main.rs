use keywright::syntax::FileParse;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let p = FileParse::new(&text);
        for c in &p.chunks {
            println!("{:?} {} {:?}", c.chunk.kind, c.start, c.chunk.errors);
            if std::env::var("T").is_ok() {
                println!("{}", c.chunk.tree.root_node().to_sexp());
                println!("{:#?}", keywright::model::lower::lower(&c.chunk));
            }
        }
    }
}
