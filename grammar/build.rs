fn main() {
    println!("cargo:rerun-if-changed=src");

    let mut build = cc::Build::new();
    build.include("src").file("src/parser.c").file("src/scanner.c").opt_level(2).debug(false).warnings(false);
    if build.get_compiler().is_like_msvc() {
        build.flag("-utf-8");
    } else {
        build.std("c11");
    }
    build.compile("tree-sitter-dynamo");
}
