// The generated parser for editors whose tree-sitter is older: Helix before
// 25.07 and Neovim before 0.11, both in Debian 13, load no parser whose binary
// interface is newer than 14. Everybody else loads this one as well.
//
// In version 15 the entries of the table of lexer modes have a third number,
// the set of reserved words, and the language has more members at its end. The
// rest is the same, so that a second generated parser is not needed.
//
// Without sets of reserved words, a word like `and` where a name should be is
// read as that name. Only a model with that fault has another tree.

#define tree_sitter_dynamo tree_sitter_dynamo_15
#include "../../src/parser.c"
#undef tree_sitter_dynamo

#if LANGUAGE_VERSION != 15
#error "this is made for a parser of version 15"
#endif

TS_PUBLIC const TSLanguage *tree_sitter_dynamo(void);

const TSLanguage *tree_sitter_dynamo(void) {
  static TSLexMode modes[STATE_COUNT];
  static TSLanguage language;
  // What several threads write here at once is the same.
  const TSLanguage *generated = tree_sitter_dynamo_15();
  for (uint32_t state = 0; state < generated->state_count; state++) {
    modes[state].lex_state = generated->lex_modes[state].lex_state;
    modes[state].external_lex_state = generated->lex_modes[state].external_lex_state;
  }
  TSLanguage older = *generated;
  older.abi_version = 14;
  older.lex_modes = (const void *)modes;
  language = older;
  return &language;
}
