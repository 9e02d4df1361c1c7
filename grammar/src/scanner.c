// The external scanner of the Keywright grammar. It keeps no state. It answers
// three questions that a context-free grammar cannot:
//
// 1. Does this word begin a declaration? At the top level, always. Inside a
//    block, where every keyword may also be a name, only at the beginning of a
//    line and in front of what a declaration continues with. The answer is a
//    token of its own that no clause can take for a name, which is how the
//    parser returns to the top level after whatever went wrong above.
// 2. Does the clause stop short here? Yes before a closing brace, at the end of
//    the file, and where the next line begins something that cannot continue
//    the clause. The answer is an empty token, a "cut".
// 3. What is inside a string? White space and comments mean nothing there.
//
// Numbers and rule names are scanned here too: a number may be followed by a
// comment without a blank (`2M// many`), which a regular expression cannot
// tell from the slash of a rate.

#include "tree_sitter/parser.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// In the order of `externals` in grammar.js.
enum TokenType {
  ERROR_SENTINEL,
  UNEXPECTED,
  UNKNOWN_CLAUSE,
  IN_BLOCK,

  IMPORT_START,
  APPLICATION_START,
  ENTITY_START,
  RELATIONSHIP_START,
  AGGREGATE_START,
  TABLE_START,
  PATTERN_START,
  WORKFLOW_START,
  CONSIDERATION_START,
  TRADEOFF_START,

  QUANTITY,
  CARDINALITY,
  RULE_NAME,

  STRING_CONTENT,
  STRING_END,
  TEMPLATE_CONTENT,
  ESCAPE_SEQUENCE,
  ESCAPED_BRACE,
  HOLE_START,
  HOLE_END,
  HOLE_NAME,
  HOLE_PARAMETER,
  HOLE_COLON,
  HOLE_FORMAT,
  SHARD,
  HOLE_TEXT,

  NO_NAME,
  NO_CARDINALITY,
  NO_BRACE,
  NO_SIGN,
  NO_WHERE,

  CUT_HEAD,
  CUT_VALUE,
  CUT_WORD,
  CUT_LINK,
  CUT_NAME,
  CUT_ATTRIBUTE,
  CUT_KEY,
  CUT_ARGUMENT,
  CUT_CLOSE,
  CUT_BODY,

  ITEM_OPEN,
  ITEM_END,
};

// ---------------------------------------------------------------------------
// Characters and words

static inline bool is_newline(int32_t c) { return c == '\n' || c == '\r'; }

// Blanks within a line; with the newlines, what `extras` in grammar.js names.
static inline bool is_blank(int32_t c) {
  return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == 0xa0 ||
         c == 0xfeff;
}

static inline bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static inline bool is_letter(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Letters outside ASCII: they make words, though no names.
static inline bool is_foreign(int32_t c) {
  return c >= 0xc0 && c != 0xd7 && c != 0xf7 &&
         (c <= 0x1fff || (c >= 0x3040 && c <= 0xd7ff));
}

static inline bool is_word_start(int32_t c) {
  return is_letter(c) || c == '_' || is_foreign(c);
}

static inline bool is_word(int32_t c) { return is_word_start(c) || is_digit(c); }

// One of the two characters that people write for micro; the other is a letter.
static inline bool is_micro(int32_t c) { return c == 0xb5; }

static inline void advance(TSLexer *lexer) { lexer->advance(lexer, false); }
static inline void skip(TSLexer *lexer) { lexer->advance(lexer, true); }

// Whether the lexer stands at the end of the file, where `lookahead` is 0 as
// it is at a zero byte.
static inline bool at_end(TSLexer *lexer) {
  return lexer->lookahead == 0 && lexer->eof(lexer);
}

static inline bool at_line_end(TSLexer *lexer) {
  return is_newline(lexer->lookahead) || at_end(lexer);
}

static bool produce(TSLexer *lexer, enum TokenType token) {
  lexer->result_symbol = (TSSymbol)token;
  return true;
}

// Longer than every keyword; a longer word is cut short and equals none.
#define WORD_SIZE 32

static void read_word(TSLexer *lexer, char word[WORD_SIZE]) {
  unsigned length = 0;
  while (is_word(lexer->lookahead)) {
    if (length + 1 < WORD_SIZE) {
      word[length++] = is_foreign(lexer->lookahead) ? '?' : (char)lexer->lookahead;
    }
    advance(lexer);
  }
  word[length] = 0;
}

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list; list++) {
    if (word[0] == (*list)[0] && strcmp(word, *list) == 0) return true;
  }
  return false;
}

// ---------------------------------------------------------------------------
// Strings and templates

static bool scan_escape(TSLexer *lexer) {
  advance(lexer); // the backslash
  if (lexer->lookahead == 'u') {
    advance(lexer);
    if (lexer->lookahead == '{') {
      advance(lexer);
      while (is_word(lexer->lookahead)) advance(lexer);
      if (lexer->lookahead == '}') advance(lexer);
    }
  } else if (!at_line_end(lexer)) {
    advance(lexer);
  }
  return produce(lexer, ESCAPE_SEQUENCE);
}

// Inside a string, in front of something other than a line end.
static bool scan_string(TSLexer *lexer) {
  if (lexer->lookahead == '\\') return scan_escape(lexer);
  if (lexer->lookahead == '"') {
    advance(lexer);
    return produce(lexer, STRING_END);
  }
  while (!at_line_end(lexer) && lexer->lookahead != '"' &&
         lexer->lookahead != '\\') {
    advance(lexer);
  }
  return produce(lexer, STRING_CONTENT);
}

// Inside a template, in front of something other than a line end.
static bool scan_template(TSLexer *lexer) {
  const int32_t c = lexer->lookahead;
  if (c == '\\') return scan_escape(lexer);
  if (c == '"' || c == '{' || c == '}') {
    advance(lexer);
    if (c == '"') return produce(lexer, STRING_END);
    if (lexer->lookahead == c) {
      advance(lexer);
      return produce(lexer, ESCAPED_BRACE);
    }
    // A closing brace on its own is text.
    return produce(lexer, c == '{' ? HOLE_START : TEMPLATE_CONTENT);
  }
  while (!at_line_end(lexer) && lexer->lookahead != '"' &&
         lexer->lookahead != '\\' && lexer->lookahead != '{' &&
         lexer->lookahead != '}') {
    advance(lexer);
  }
  return produce(lexer, TEMPLATE_CONTENT);
}

// Inside a template's hole, in front of something other than a line end. Every
// character is accepted; the analysis reads the hole's text again.
static bool scan_hole(TSLexer *lexer, const bool *valid) {
  const int32_t c = lexer->lookahead;
  if (is_word_start(c) && !valid[HOLE_FORMAT]) {
    char word[WORD_SIZE];
    read_word(lexer, word);
    lexer->mark_end(lexer);
    if (strcmp(word, "shard") != 0) return produce(lexer, HOLE_NAME);
    while (is_blank(lexer->lookahead)) advance(lexer);
    return produce(lexer, lexer->lookahead == '(' ? SHARD : HOLE_NAME);
  }
  if (is_word(c)) {
    while (is_word(lexer->lookahead)) advance(lexer);
    return produce(lexer, valid[HOLE_FORMAT] ? HOLE_FORMAT : HOLE_TEXT);
  }

  advance(lexer);
  switch (c) {
    case '}':
      return produce(lexer, HOLE_END);
    case '"':
      return produce(lexer, STRING_END);
    case ':':
      if (!valid[HOLE_PARAMETER] || !is_word_start(lexer->lookahead)) {
        return produce(lexer, HOLE_COLON);
      }
      while (is_word(lexer->lookahead)) advance(lexer);
      return produce(lexer, HOLE_PARAMETER);
    case '`':
      while (!at_line_end(lexer) && lexer->lookahead != '`' &&
             lexer->lookahead != '"') {
        advance(lexer);
      }
      if (lexer->lookahead == '`') advance(lexer);
      return produce(lexer, HOLE_NAME);
    case '\\':
      if (!at_line_end(lexer)) advance(lexer);
      return produce(lexer, HOLE_TEXT);
    default:
      return produce(lexer, HOLE_TEXT);
  }
}

// ---------------------------------------------------------------------------
// Numbers

// A number with whatever unit is attached to it; the analysis judges both.
static bool scan_quantity(TSLexer *lexer) {
  if (lexer->lookahead == '-') {
    advance(lexer);
    if (!is_digit(lexer->lookahead)) return false;
  }
  while (is_word(lexer->lookahead) || lexer->lookahead == '.' ||
         lexer->lookahead == '%' || is_micro(lexer->lookahead)) {
    advance(lexer);
  }
  lexer->mark_end(lexer);
  if (lexer->lookahead == '/') {
    advance(lexer);
    if (lexer->lookahead != '/') {
      while (is_letter(lexer->lookahead)) advance(lexer);
      lexer->mark_end(lexer);
    }
  }
  return produce(lexer, QUANTITY);
}

// Something with a digit or a colon where a cardinality is expected; `word` is
// what has been read of it.
static bool scan_cardinality(TSLexer *lexer, char word[WORD_SIZE]) {
  unsigned length = (unsigned)strlen(word);
  while ((is_word(lexer->lookahead) && !is_foreign(lexer->lookahead)) ||
         lexer->lookahead == ':') {
    if (length + 1 < WORD_SIZE) word[length++] = (char)lexer->lookahead;
    advance(lexer);
  }
  word[length] = 0;
  lexer->mark_end(lexer);
  const bool known = strcmp(word, "1:1") == 0 || strcmp(word, "1:N") == 0 ||
                     strcmp(word, "N:M") == 0;
  return produce(lexer, known ? CARDINALITY : UNEXPECTED);
}

// ---------------------------------------------------------------------------
// What follows a word

typedef struct {
  // The first character after the word and blanks, 0 at the line's end.
  int32_t first;
  // The word that begins there, if one does; empty if it is in backticks.
  bool has_word;
  char word[WORD_SIZE];
  // What follows that word, or else the first one, on its line or below.
  int32_t second;
  bool cardinality;
} Follow;

static void skip_ahead(TSLexer *lexer) {
  while (is_blank(lexer->lookahead) || is_newline(lexer->lookahead)) {
    advance(lexer);
  }
}

static Follow read_follow(TSLexer *lexer) {
  Follow follow = {0};
  while (is_blank(lexer->lookahead)) advance(lexer);
  if (at_line_end(lexer)) {
    skip_ahead(lexer);
    follow.second = lexer->lookahead;
    return follow;
  }

  follow.first = lexer->lookahead;
  follow.second = follow.first;
  if (follow.first == '`') {
    advance(lexer);
    while (!at_line_end(lexer) && lexer->lookahead != '`') advance(lexer);
    if (lexer->lookahead != '`') return follow;
    advance(lexer);
  } else if (is_word_start(follow.first)) {
    read_word(lexer, follow.word);
  } else {
    return follow;
  }
  follow.has_word = true;

  skip_ahead(lexer);
  follow.second = lexer->lookahead;
  if (follow.second == '1' || follow.second == 'N') {
    advance(lexer);
    follow.cardinality = lexer->lookahead == ':';
  }
  return follow;
}

// Words that come after a name within a clause, and so do not follow the
// keyword of a new one.
static const char *const CONNECTING[] = {
    "and",     "as",       "because",   "begins_with", "between",    "by",
    "consistent", "contains", "descending", "embeds",  "filter",     "from",
    "growing", "if",       "in",        "into",        "keeping",    "limit",
    "or",      "ordered",  "project",   "remove",      "returning",  "set",
    "through", "times",    "utilization", "where",     "with",       NULL,
};

// Words that are no names.
static const char *const RESERVED[] = {
    "and", "false", "none", "not", "or", "true", NULL,
};

// Words that stand where a number or a string might.
static const char *const VALUES[] = {
    "aggregate",    "all",         "avg",
    "binary",       "false",       "include",
    "item_collection", "keys_only", "max",
    "new_and_old_images", "new_image", "number",
    "old_image",    "on_demand",   "peak",
    "provisioned",  "separate_tables", "single_item",
    "single_table", "standard",    "standard_infrequent_access",
    "string",       "true",        NULL,
};

// What follows the keyword of a clause.
enum Shape {
  NO_CLAUSE,
  BARE, // nothing that would tell it from a name
  MEASURE, // a number, or its label
  TEXT, // a string
  NAME, // a name
  WORDS, // one of the words listed
};

static const struct {
  const char *word;
  enum Shape shape;
  const char *words[5];
} CLAUSES[] = {
    {"allow", NAME, {0}},
    {"batch", WORDS, {"get", "write"}},
    {"boundary", TEXT, {0}},
    {"capacity", WORDS, {"on_demand", "provisioned"}},
    {"check", NAME, {0}},
    {"children", MEASURE, {0}},
    {"class", WORDS, {"standard", "standard_infrequent_access"}},
    {"context", TEXT, {0}},
    {"count", MEASURE, {0}},
    {"decision", WORDS, {"item_collection", "separate_tables", "single_item"}},
    {"delete", NAME, {0}},
    {"domain", TEXT, {0}},
    {"external", TEXT, {0}},
    {"get", NAME, {0}},
    {"gsi", NAME, {0}},
    {"identifying", BARE, {0}},
    {"item", NAME, {0}},
    {"latency", MEASURE, {0}},
    {"lifetime", MEASURE, {0}},
    {"lsi", NAME, {0}},
    {"no_read", WORDS, {"because"}},
    {"no_write", WORDS, {"because"}},
    {"pages", MEASURE, {0}},
    {"parents", MEASURE, {0}},
    {"partition", WORDS, {"key"}},
    {"point_in_time_recovery", BARE, {0}},
    {"projection", WORDS, {"all", "include", "keys_only"}},
    {"purpose", TEXT, {0}},
    {"put", NAME, {0}},
    {"query", NAME, {0}},
    {"rate", MEASURE, {0}},
    {"reads", NAME, {0}},
    {"region", TEXT, {0}},
    {"scale", TEXT, {0}},
    {"scan", NAME, {0}},
    {"size", MEASURE, {0}},
    {"sort", WORDS, {"key"}},
    {"sparse", BARE, {0}},
    {"stream", WORDS,
     {"keys_only", "new_and_old_images", "new_image", "old_image"}},
    {"style", WORDS, {"aggregate", "single_table"}},
    {"transact", WORDS, {"get", "write"}},
    {"ttl", NAME, {0}},
    {"update", NAME, {0}},
    {"writes", NAME, {0}},
};

// The clauses of a table or a pattern that cannot stand in an index or in a
// transaction: they show that what comes before them is no open block.
static const char *const OUTSIDE_INNER_BLOCK[] = {
    "batch",   "boundary", "capacity", "class", "external", "gsi",
    "item",    "latency",  "lsi",      "no_read", "no_write", "pages",
    "rate",    "reads",    "stream",   "transact", "ttl",    "writes",
    NULL,
};

#define CLAUSE_COUNT (sizeof CLAUSES / sizeof *CLAUSES)

static unsigned find_clause(const char *word) {
  unsigned i = 0;
  while (i < CLAUSE_COUNT && (word[0] != CLAUSES[i].word[0] ||
                              strcmp(word, CLAUSES[i].word) != 0)) {
    i++;
  }
  return i;
}

static bool is_clause_keyword(const char *word) {
  return find_clause(word) < CLAUSE_COUNT;
}

// Whether a line that begins with `word` begins a clause. A name may begin a
// line as well, in the middle of a clause; but then a comma, an operator or a
// connecting word comes next.
static bool begins_clause(const char *word, const Follow *follow) {
  unsigned i = find_clause(word);
  if (i == CLAUSE_COUNT) return false;
  switch (CLAUSES[i].shape) {
    case MEASURE:
      return is_digit(follow->first) || strcmp(follow->word, "avg") == 0 ||
             strcmp(follow->word, "max") == 0 ||
             strcmp(follow->word, "peak") == 0;
    case TEXT:
      return follow->first == '"';
    case NAME:
      return follow->has_word && !is_one_of(follow->word, CONNECTING);
    case WORDS:
      return is_one_of(follow->word, CLAUSES[i].words);
    default:
      return false;
  }
}

// ---------------------------------------------------------------------------
// Declarations

static const struct {
  const char *word;
  enum TokenType token;
} DECLARATIONS[] = {
    {"import", IMPORT_START},
    {"application", APPLICATION_START},
    {"entity", ENTITY_START},
    {"relationship", RELATIONSHIP_START},
    {"aggregate", AGGREGATE_START},
    {"table", TABLE_START},
    {"pattern", PATTERN_START},
    {"workflow", WORKFLOW_START},
    {"consideration", CONSIDERATION_START},
    {"tradeoff", TRADEOFF_START},
};

// The token of a declaration's keyword, or ERROR_SENTINEL.
static enum TokenType declaration_token(const char *word) {
  for (unsigned i = 0; i < sizeof DECLARATIONS / sizeof *DECLARATIONS; i++) {
    if (strcmp(word, DECLARATIONS[i].word) == 0) return DECLARATIONS[i].token;
  }
  return ERROR_SENTINEL;
}

// Whether a line that begins with a declaration's keyword is a declaration.
static bool begins_declaration(enum TokenType token, const Follow *follow,
                               bool column_zero) {
  if (token == IMPORT_START || token == CONSIDERATION_START ||
      token == TRADEOFF_START) {
    return follow->first == '"';
  }
  if (!follow->has_word) return false;
  if (token == RELATIONSHIP_START && follow->cardinality) return true;
  if (token == AGGREGATE_START && follow->second == ',') return true;
  if (token != AGGREGATE_START && token != RELATIONSHIP_START &&
      follow->second == '{') {
    return true;
  }
  return column_zero && follow->second != ':' && follow->second != '=' &&
         follow->second != ',' && !is_one_of(follow->word, CONNECTING);
}

// ---------------------------------------------------------------------------
// What does not belong where it stands

// How far to look for what would end a fault, so that a file full of faults
// takes no time quadratic in its length.
#define LOOKAHEAD_ITEMS 300
#define LOOKAHEAD_COMMENTS 50

// Steps over a string, closed or not, or over one character.
static void skip_item(TSLexer *lexer) {
  const bool string = lexer->lookahead == '"';
  advance(lexer);
  if (!string) return;
  while (!at_line_end(lexer) && lexer->lookahead != '"') {
    if (lexer->lookahead == '\\') advance(lexer);
    if (!at_line_end(lexer)) advance(lexer);
  }
  if (lexer->lookahead == '"') advance(lexer);
}

// Whether no token begins with the character, or has it outside strings.
static bool is_unexpected(int32_t c) {
  return c > 0x7f ? !is_blank(c) && !is_foreign(c) : c != 0 && strchr("!#$&';[\\]^|~*+", c);
}

// A string, a word, or a run of characters that are no token.
static bool scan_unexpected(TSLexer *lexer) {
  if (is_word(lexer->lookahead)) {
    while (is_word(lexer->lookahead)) advance(lexer);
  } else {
    skip_item(lexer);
    while (is_unexpected(lexer->lookahead)) advance(lexer);
  }
  lexer->mark_end(lexer);
  return produce(lexer, UNEXPECTED);
}

// Something in braces, or the brace alone if it has no partner near by. A
// partner at the beginning of a line is that of the declaration around.
static bool scan_braces(TSLexer *lexer, enum TokenType token) {
  unsigned depth = 0;
  bool line_start = false;
  for (unsigned i = 0; i < LOOKAHEAD_ITEMS && !at_end(lexer); i++) {
    const int32_t c = lexer->lookahead;
    if (c == '{') depth++;
    if (c == '}' && line_start) break;
    line_start = is_newline(c);
    skip_item(lexer);
    if (c == '{' && depth == 1) lexer->mark_end(lexer);
    if (c == '}' && --depth == 0) {
      lexer->mark_end(lexer);
      break;
    }
    if (c == '/' && lexer->lookahead == '/') {
      while (!at_line_end(lexer)) advance(lexer);
    }
  }
  return produce(lexer, token);
}

// The rest of a line up to a brace or a comment, without blanks at its end. In
// a block on one line, the next clause ends it too.
static bool scan_unknown_clause(TSLexer *lexer, bool whole_line) {
  lexer->mark_end(lexer);
  unsigned depth = 0;
  while (!at_line_end(lexer)) {
    const int32_t c = lexer->lookahead;
    if (c == '{') depth++;
    if (c == '}' && depth-- == 0) break;
    if (is_word_start(c)) {
      char word[WORD_SIZE];
      read_word(lexer, word);
      if (!whole_line && depth == 0 && is_clause_keyword(word)) break;
    } else {
      skip_item(lexer);
      if (c == '/' && lexer->lookahead == '/') break;
    }
    if (!is_blank(c) && depth == 0) lexer->mark_end(lexer);
  }
  return produce(lexer, UNKNOWN_CLAUSE);
}

// ---------------------------------------------------------------------------
// Clauses

typedef struct {
  // Whether a line, or a comment, ended in front of what comes next. Behind a
  // comment only empty tokens can be produced.
  bool newline;
  bool comment;
  // Whether what comes next is at the very beginning of its line.
  bool margin;
  // Whether the clause could stop short here.
  bool cuts;
} Context;

// Where the clause is over for certain.
static bool cut(TSLexer *lexer, const bool *valid) {
  for (unsigned token = CUT_HEAD; token <= CUT_BODY; token++) {
    if (valid[token]) return produce(lexer, (enum TokenType)token);
  }
  return false;
}

// In front of a word that begins a line: whether it goes on with the clause.
// The word is empty if it is in backticks.
static bool scan_line_start(TSLexer *lexer, const bool *valid, const char *word,
                            const Follow *follow) {
  const bool clause = begins_clause(word, follow);

  // Between the keys of an item, a clause of the table closes the block.
  if (valid[ITEM_END]) {
    return clause && strcmp(word, "allow") != 0 && produce(lexer, ITEM_END);
  }

  if (valid[CUT_VALUE] && !is_one_of(word, VALUES)) {
    return produce(lexer, CUT_VALUE);
  }
  // A rule is in a line of its own only if there is a dash in it.
  if (valid[RULE_NAME]) return produce(lexer, CUT_WORD);
  // The colon of an attribute, the equals sign of a key and the second half of
  // an index's name stand on the line of what comes before them.
  if (valid[CUT_NAME] && !valid[CUT_VALUE]) return produce(lexer, CUT_NAME);

  if (clause && valid[CUT_HEAD]) return produce(lexer, CUT_HEAD);
  const bool attribute = follow->first == ':';
  if (valid[CUT_ATTRIBUTE] && (clause || attribute)) {
    return produce(lexer, CUT_ATTRIBUTE);
  }
  if (valid[CUT_KEY] && (clause || follow->first == '=')) {
    return produce(lexer, CUT_KEY);
  }
  if (valid[CUT_ARGUMENT] || valid[CUT_CLOSE]) {
    // An item of a list has a comma or the closing parenthesis behind it.
    const bool item = follow->first == ',' || follow->first == ')' ||
                      (follow->first == 0 &&
                       (follow->second == ',' || follow->second == ')'));
    if (clause || attribute || (is_clause_keyword(word) && !item)) {
      return produce(lexer, valid[CUT_ARGUMENT] ? CUT_ARGUMENT : CUT_CLOSE);
    }
  }
  if (valid[CUT_BODY]) {
    const bool outside = clause && is_one_of(word, OUTSIDE_INNER_BLOCK);
    return produce(lexer, outside ? CUT_BODY : NO_BRACE);
  }
  if (valid[CUT_LINK]) {
    const bool link = is_one_of(word, CONNECTING) || strcmp(word, "key") == 0 ||
                      strcmp(word, "write") == 0 || strcmp(word, "get") == 0;
    return (clause || !link) && produce(lexer, CUT_LINK);
  }
  return clause && valid[CUT_WORD] && produce(lexer, CUT_WORD);
}

// A declaration's keyword.
static bool scan_declaration(TSLexer *lexer, const bool *valid,
                             const char *word, enum TokenType declaration,
                             Context context) {
  // In the middle of a clause, a declaration cuts it. Elsewhere it is a token
  // of its own, which has to come after the comments in front of it.
  if (!context.cuts) {
    if (context.comment) return false;
    lexer->mark_end(lexer);
    // At the top level, the word is all.
    if (!valid[IN_BLOCK] && !valid[UNKNOWN_CLAUSE] && valid[declaration]) {
      return produce(lexer, declaration);
    }
  }
  if (!context.newline) return false;
  const Follow follow = read_follow(lexer);
  if (begins_declaration(declaration, &follow, context.margin)) {
    return context.cuts ? cut(lexer, valid) : produce(lexer, declaration);
  }
  return context.cuts && scan_line_start(lexer, valid, word, &follow);
}

// In front of a word, or of a name in backticks.
static bool scan_word(TSLexer *lexer, const bool *valid, Context context) {
  const bool between = valid[UNKNOWN_CLAUSE] && !valid[IN_BLOCK];
  // Before a colon or an equals sign; not behind a clause's keyword.
  const bool signless = valid[NO_SIGN] && valid[CUT_NAME] &&
                        !valid[CUT_VALUE] && !valid[RULE_NAME];

  // Most words in the middle of a line are no business of this scanner.
  if (!context.newline &&
      !(between || signless || valid[ENTITY_START] || valid[CARDINALITY] ||
        valid[RULE_NAME] || valid[CUT_VALUE] || valid[CUT_BODY] ||
        valid[NO_WHERE] || valid[NO_NAME] || valid[CUT_HEAD])) {
    return false;
  }

  char word[WORD_SIZE] = {0};
  if (lexer->lookahead == '`') {
    advance(lexer);
    while (!at_line_end(lexer) && lexer->lookahead != '`') advance(lexer);
    if (lexer->lookahead == '`') advance(lexer);
  } else {
    read_word(lexer, word);
  }
  const bool quoted = word[0] == 0;

  // `allow entity-not-in-table`: the name of a rule may begin with the word for
  // a declaration, and its dash tells the two apart.
  const bool rule = valid[RULE_NAME] && !quoted && lexer->lookahead == '-';
  const enum TokenType declaration = declaration_token(word);
  if (declaration != ERROR_SENTINEL && !rule) {
    return scan_declaration(lexer, valid, word, declaration, context);
  }

  // A reserved word where a declaration, an attribute or a key has its name.
  if ((valid[NO_NAME] || valid[CUT_HEAD]) && is_one_of(word, RESERVED)) {
    if (context.comment) return false;
    lexer->mark_end(lexer);
    return produce(lexer, UNEXPECTED);
  }

  if (between && !quoted && !context.comment && !is_clause_keyword(word) &&
      !is_one_of(word, CONNECTING)) {
    return scan_unknown_clause(lexer, context.newline);
  }

  if (valid[CARDINALITY]) {
    if (lexer->lookahead != ':') return produce(lexer, NO_CARDINALITY);
    return !context.comment && scan_cardinality(lexer, word);
  }

  if (valid[RULE_NAME] && !quoted && !context.comment &&
      (lexer->lookahead == '-' || !context.newline)) {
    if (strcmp(word, "because") == 0) return false;
    while (is_word(lexer->lookahead) || lexer->lookahead == '-') advance(lexer);
    lexer->mark_end(lexer);
    return produce(lexer, RULE_NAME);
  }

  if (valid[NO_WHERE] && !quoted) {
    if (strcmp(word, "where") == 0) return false;
    const Follow follow = read_follow(lexer);
    if (follow.first == '=' || follow.first == '<' || follow.first == '>') {
      return produce(lexer, NO_WHERE);
    }
    if (is_one_of(word, CONNECTING) || begins_clause(word, &follow)) {
      return produce(lexer, CUT_LINK);
    }
    return produce(lexer, context.newline ? CUT_LINK : NO_WHERE);
  }

  if (context.newline) {
    if (!context.cuts && !valid[ITEM_END]) return false;
    const Follow follow = read_follow(lexer);
    return scan_line_start(lexer, valid, word, &follow);
  }

  if (signless) return produce(lexer, NO_SIGN);
  if (valid[CUT_BODY]) {
    if (is_clause_keyword(word)) return produce(lexer, NO_BRACE);
  } else if (valid[CUT_VALUE] && !quoted) {
    if (is_clause_keyword(word)) return produce(lexer, CUT_VALUE);
    if (is_one_of(word, VALUES) || is_one_of(word, CONNECTING)) return false;
  } else {
    return false;
  }
  if (context.comment) return false;
  lexer->mark_end(lexer);
  return produce(lexer, UNEXPECTED);
}

// The head of a declaration or of a block, in front of something other than a
// word. What does not belong there is an extra: left to the parser, it would
// look for the rest of the head in the block.
static bool scan_head(TSLexer *lexer, const bool *valid, Context context) {
  const int32_t c = lexer->lookahead;
  if (valid[CUT_BODY] && (c == '{' || c == ',')) return false;
  if (c == '{') return produce(lexer, valid[NO_NAME] ? NO_NAME : CUT_HEAD);
  if (context.comment) return false;
  if (valid[CARDINALITY] && is_digit(c)) {
    char word[WORD_SIZE] = {0};
    return scan_cardinality(lexer, word);
  }
  return scan_unexpected(lexer);
}

// In front of something other than a word, where it need not be a head.
static bool scan_symbol(TSLexer *lexer, const bool *valid, Context context) {
  const int32_t c = lexer->lookahead;

  // Empty tokens for what is missing.
  if ((c == ')' || c == '>') && valid[CUT_ARGUMENT]) {
    return produce(lexer, CUT_ARGUMENT);
  }
  if ((c == ':' || c == '=') && valid[NO_NAME]) return produce(lexer, NO_NAME);
  if (c == '(' && valid[NO_WHERE]) return produce(lexer, NO_WHERE);
  if (valid[NO_SIGN] && !context.newline) {
    const bool operand = c == '"' || is_digit(c) || (c == ':' && !valid[CUT_NAME]);
    if (operand && !valid[QUANTITY]) return produce(lexer, NO_SIGN);
  }

  if (context.comment) return false;

  if (valid[QUANTITY] && (is_digit(c) || c == '-')) return scan_quantity(lexer);
  if (c == '{') {
    if (valid[ITEM_OPEN]) {
      advance(lexer);
      lexer->mark_end(lexer);
      return produce(lexer, ITEM_OPEN);
    }
    if (valid[IN_BLOCK] || valid[CUT_VALUE] || valid[CUT_NAME] ||
        valid[CUT_ATTRIBUTE] || valid[CUT_KEY] || valid[CUT_ARGUMENT] ||
        valid[CUT_CLOSE]) {
      return scan_braces(lexer, UNEXPECTED);
    }
    return valid[UNKNOWN_CLAUSE] && scan_braces(lexer, UNKNOWN_CLAUSE);
  }
  // Where a clause could begin, a string or a number begins none.
  if (c == '"' || is_digit(c)) {
    if (valid[IN_BLOCK]) return scan_unexpected(lexer);
    return valid[UNKNOWN_CLAUSE] && scan_unknown_clause(lexer, context.newline);
  }
  return is_unexpected(c) && scan_unexpected(lexer);
}

// In error mode every token is valid. Strings are not looked into then, and
// nothing is cut or made up: the parser only wants to find its feet again.
static bool scan_lost(TSLexer *lexer, Context context) {
  const int32_t c = lexer->lookahead;
  char word[WORD_SIZE] = {0};
  if (is_word_start(c)) {
    if (!context.newline) return false;
    read_word(lexer, word);
    const enum TokenType declaration = declaration_token(word);
    if (declaration == ERROR_SENTINEL) return false;
    lexer->mark_end(lexer);
    const Follow follow = read_follow(lexer);
    return begins_declaration(declaration, &follow, context.margin) &&
           produce(lexer, declaration);
  }
  if (is_digit(c) || c == '-') return scan_quantity(lexer);
  return (c == '"' || is_unexpected(c)) && scan_unexpected(lexer);
}

// ---------------------------------------------------------------------------
// Entry points

void *tree_sitter_dynamo_external_scanner_create(void) { return NULL; }

void tree_sitter_dynamo_external_scanner_destroy(void *payload) {
  (void)payload;
}

unsigned tree_sitter_dynamo_external_scanner_serialize(void *payload,
                                                       char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}

void tree_sitter_dynamo_external_scanner_deserialize(void *payload,
                                                     const char *buffer,
                                                     unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

bool tree_sitter_dynamo_external_scanner_scan(void *payload, TSLexer *lexer,
                                              const bool *valid) {
  (void)payload;
  const bool lost = valid[ERROR_SENTINEL];

  if (!lost && !at_line_end(lexer)) {
    if (valid[HOLE_END]) return scan_hole(lexer, valid);
    if (valid[TEMPLATE_CONTENT]) return scan_template(lexer);
    if (valid[STRING_CONTENT]) return scan_string(lexer);
  }

  Context context = {0};
  for (unsigned token = CUT_HEAD; token <= CUT_BODY && !lost; token++) {
    context.cuts = context.cuts || valid[token];
  }

  // Empty tokens end where the token before them ends.
  lexer->mark_end(lexer);
  unsigned comments = 0;
  for (;;) {
    if (is_newline(lexer->lookahead)) {
      context.newline = true;
      context.margin = true;
      skip(lexer);
    } else if (is_blank(lexer->lookahead)) {
      context.margin = false;
      skip(lexer);
    } else if (lexer->lookahead == '/') {
      // Look behind comments: those that follow a cut are not the clause's.
      if (!context.cuts && (lost || !valid[ITEM_END])) return false;
      advance(lexer);
      if (lexer->lookahead != '/') return false;
      if (++comments > LOOKAHEAD_COMMENTS) return false;
      while (!at_line_end(lexer)) advance(lexer);
      context.comment = true;
    } else {
      break;
    }
  }

  if (lost) return scan_lost(lexer, context);
  if (lexer->lookahead == '}' || at_end(lexer)) return cut(lexer, valid);
  if (is_word_start(lexer->lookahead) || lexer->lookahead == '`') {
    return scan_word(lexer, valid, context);
  }
  if (valid[CUT_HEAD] || valid[CUT_BODY]) {
    return scan_head(lexer, valid, context);
  }
  return scan_symbol(lexer, valid, context);
}
