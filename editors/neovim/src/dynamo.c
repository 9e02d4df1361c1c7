/* The parser in the form that every Neovim since 0.9 loads. */
#include "../../../grammar/abi14/src/parser.c"
