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
  EVERYWHERE,
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

  CUT_VALUE,
  CUT_WORD,
  CUT_NAME,
  CUT_ATTRIBUTE,
  CUT_KEY,
  CUT_ARGUMENT,
  CUT_CLOSE,
  CUT_BODY,
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

static inline bool is_word_start(int32_t c) { return is_letter(c) || c == '_'; }

static inline bool is_word(int32_t c) { return is_word_start(c) || is_digit(c); }

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

// Longer than every keyword; a longer word is cut short and equals none.
#define WORD_SIZE 32

static void read_word(TSLexer *lexer, char word[WORD_SIZE]) {
  unsigned length = 0;
  while (is_word(lexer->lookahead)) {
    if (length + 1 < WORD_SIZE) word[length++] = (char)lexer->lookahead;
    advance(lexer);
  }
  word[length] = 0;
}

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list; list++) {
    if (strcmp(word, *list) == 0) return true;
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
  lexer->result_symbol = ESCAPE_SEQUENCE;
  return true;
}

// Inside a string or a template, in front of something other than a line end.
static bool scan_string(TSLexer *lexer, bool template) {
  switch (lexer->lookahead) {
    case '"':
      advance(lexer);
      lexer->result_symbol = STRING_END;
      return true;
    case '\\':
      return scan_escape(lexer);
    case '{':
      if (template) {
        advance(lexer);
        lexer->result_symbol = HOLE_START;
        if (lexer->lookahead == '{') {
          advance(lexer);
          lexer->result_symbol = ESCAPED_BRACE;
        }
        return true;
      }
      break;
    case '}':
      if (template) {
        advance(lexer);
        lexer->result_symbol = TEMPLATE_CONTENT;
        if (lexer->lookahead == '}') {
          advance(lexer);
          lexer->result_symbol = ESCAPED_BRACE;
        }
        return true;
      }
      break;
    default:
      break;
  }

  while (!at_line_end(lexer) && lexer->lookahead != '"' &&
         lexer->lookahead != '\\' &&
         !(template && (lexer->lookahead == '{' || lexer->lookahead == '}'))) {
    advance(lexer);
  }
  lexer->result_symbol = template ? TEMPLATE_CONTENT : STRING_CONTENT;
  return true;
}

// Inside a template's hole, in front of something other than a line end.
static bool scan_hole(TSLexer *lexer, const bool *valid) {
  while (is_blank(lexer->lookahead)) skip(lexer);
  if (at_line_end(lexer)) {
    // Blanks in front of the end of the line are the hole's last text.
    lexer->mark_end(lexer);
    lexer->result_symbol = HOLE_TEXT;
    return false;
  }

  switch (lexer->lookahead) {
    case '}':
      advance(lexer);
      lexer->result_symbol = HOLE_END;
      return true;
    case '"':
      advance(lexer);
      lexer->result_symbol = STRING_END;
      return true;
    case '`':
      advance(lexer);
      while (!at_line_end(lexer) && lexer->lookahead != '`' &&
             lexer->lookahead != '"') {
        advance(lexer);
      }
      if (lexer->lookahead == '`') advance(lexer);
      lexer->result_symbol = HOLE_NAME;
      return true;
    case ':':
      advance(lexer);
      lexer->result_symbol = HOLE_COLON;
      if (valid[HOLE_PARAMETER] && is_word_start(lexer->lookahead)) {
        while (is_word(lexer->lookahead)) advance(lexer);
        lexer->result_symbol = HOLE_PARAMETER;
      }
      return true;
    default:
      break;
  }

  if (valid[HOLE_FORMAT] && is_word(lexer->lookahead)) {
    while (is_word(lexer->lookahead)) advance(lexer);
    lexer->result_symbol = HOLE_FORMAT;
    return true;
  }
  if (is_word_start(lexer->lookahead)) {
    char word[WORD_SIZE];
    read_word(lexer, word);
    lexer->mark_end(lexer);
    lexer->result_symbol = HOLE_NAME;
    if (strcmp(word, "shard") == 0) {
      while (is_blank(lexer->lookahead)) advance(lexer);
      if (lexer->lookahead == '(') lexer->result_symbol = SHARD;
    }
    return true;
  }

  // Anything else is text: a digit's word, an escape, or one character.
  if (is_digit(lexer->lookahead)) {
    while (is_word(lexer->lookahead)) advance(lexer);
  } else {
    bool escape = lexer->lookahead == '\\';
    advance(lexer);
    if (escape && !at_line_end(lexer)) advance(lexer);
  }
  lexer->mark_end(lexer);
  lexer->result_symbol = HOLE_TEXT;
  return true;
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
         lexer->lookahead == '%' || lexer->lookahead == 0xb5 ||
         lexer->lookahead == 0x3bc) {
    advance(lexer);
  }
  // A cardinality, in a place where the parser is lost.
  if (lexer->lookahead == ':') return false;
  lexer->mark_end(lexer);
  lexer->result_symbol = QUANTITY;
  if (lexer->lookahead == '/') {
    advance(lexer);
    if (lexer->lookahead != '/') {
      while (is_letter(lexer->lookahead)) advance(lexer);
      lexer->mark_end(lexer);
    }
  }
  return true;
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
    {"allow", NAME},
    {"batch", WORDS, {"get", "write"}},
    {"boundary", TEXT},
    {"capacity", WORDS, {"on_demand", "provisioned"}},
    {"check", NAME},
    {"children", MEASURE},
    {"class", WORDS, {"standard", "standard_infrequent_access"}},
    {"context", TEXT},
    {"count", MEASURE},
    {"decision", WORDS, {"item_collection", "separate_tables", "single_item"}},
    {"delete", NAME},
    {"domain", TEXT},
    {"external", TEXT},
    {"get", NAME},
    {"gsi", NAME},
    {"identifying", BARE},
    {"item", NAME},
    {"latency", MEASURE},
    {"lifetime", MEASURE},
    {"lsi", NAME},
    {"no_read", WORDS, {"because"}},
    {"no_write", WORDS, {"because"}},
    {"pages", MEASURE},
    {"parents", MEASURE},
    {"partition", WORDS, {"key"}},
    {"point_in_time_recovery", BARE},
    {"projection", WORDS, {"all", "include", "keys_only"}},
    {"purpose", TEXT},
    {"put", NAME},
    {"query", NAME},
    {"rate", MEASURE},
    {"reads", NAME},
    {"region", TEXT},
    {"scale", TEXT},
    {"scan", NAME},
    {"size", MEASURE},
    {"sort", WORDS, {"key"}},
    {"sparse", BARE},
    {"stream", WORDS,
     {"keys_only", "new_and_old_images", "new_image", "old_image"}},
    {"style", WORDS, {"aggregate", "single_table"}},
    {"transact", WORDS, {"get", "write"}},
    {"ttl", NAME},
    {"update", NAME},
    {"writes", NAME},
};

// The clauses of a table or a pattern that cannot stand in an index or in a
// transaction: they show that what comes before them is no open block.
static const char *const OUTSIDE_INNER_BLOCK[] = {
    "batch",   "boundary", "capacity", "class", "external", "gsi",
    "item",    "latency",  "lsi",      "no_read", "no_write", "pages",
    "rate",    "reads",    "stream",   "transact", "ttl",    "writes",
    NULL,
};

static unsigned find_clause(const char *word) {
  unsigned i = 0;
  while (i < sizeof CLAUSES / sizeof *CLAUSES &&
         strcmp(word, CLAUSES[i].word) != 0) {
    i++;
  }
  return i;
}

static bool is_clause_keyword(const char *word) {
  return find_clause(word) < sizeof CLAUSES / sizeof *CLAUSES;
}

// Whether a line that begins with `word` begins a clause. A name may begin a
// line as well, in the middle of a clause; but then a comma, an operator or a
// connecting word comes next.
static bool begins_clause(const char *word, const Follow *follow) {
  unsigned i = find_clause(word);
  if (i == sizeof CLAUSES / sizeof *CLAUSES) return false;
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
// Cuts

static bool produce(TSLexer *lexer, enum TokenType token) {
  lexer->result_symbol = (TSSymbol)token;
  return true;
}

// Where the clause is over for certain.
static bool cut_any(TSLexer *lexer, const bool *valid) {
  for (unsigned token = CUT_VALUE; token <= CUT_BODY; token++) {
    if (valid[token]) return produce(lexer, (enum TokenType)token);
  }
  return false;
}

// In front of a word that begins a line: whether it goes on with the clause.
// The word is empty if it is in backticks.
static bool cut_before_line(TSLexer *lexer, const bool *valid, const char *word,
                            const Follow *follow) {
  const bool clause = begins_clause(word, follow);

  // Between the keys of an item, a clause of the table closes the block.
  if (valid[ITEM_END]) {
    return clause && strcmp(word, "allow") != 0 && produce(lexer, ITEM_END);
  }

  if (valid[CUT_VALUE] && !is_one_of(word, VALUES)) {
    return produce(lexer, CUT_VALUE);
  }
  // A colon or the equals sign of a key would stand on the name's own line.
  if (valid[CUT_NAME]) return produce(lexer, CUT_NAME);

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
  if (valid[CUT_WORD] && clause) return produce(lexer, CUT_WORD);
  if (valid[CUT_BODY] && clause && is_one_of(word, OUTSIDE_INNER_BLOCK)) {
    return produce(lexer, CUT_BODY);
  }
  return false;
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

  // In error mode every token is valid. Strings are not looked into then, and
  // nothing is cut: the parser only wants to find its feet again.
  const bool lost = valid[ERROR_SENTINEL];

  if (!lost && !at_line_end(lexer)) {
    if (valid[HOLE_END]) return scan_hole(lexer, valid);
    if (valid[TEMPLATE_CONTENT]) return scan_string(lexer, true);
    if (valid[STRING_CONTENT]) return scan_string(lexer, false);
  }

  bool cuts = false;
  for (unsigned token = CUT_VALUE; token <= ITEM_END && !lost; token++) {
    cuts = cuts || valid[token];
  }

  // Empty tokens end where the token before them ends.
  lexer->mark_end(lexer);

  bool newline = false;
  bool comment = false;
  unsigned column = 0;
  for (;;) {
    if (is_newline(lexer->lookahead)) {
      newline = true;
      column = 0;
      skip(lexer);
    } else if (is_blank(lexer->lookahead)) {
      column++;
      skip(lexer);
    } else if (lexer->lookahead == '/' && cuts) {
      // Look behind comments: those that follow a cut are not the clause's.
      advance(lexer);
      if (lexer->lookahead != '/') return false;
      while (!at_line_end(lexer)) advance(lexer);
      comment = true;
    } else {
      break;
    }
  }

  if (lexer->lookahead == '}' || at_end(lexer)) {
    return cuts && cut_any(lexer, valid);
  }

  if (!lost && valid[CUT_ARGUMENT] &&
      (lexer->lookahead == ')' || lexer->lookahead == '>')) {
    return produce(lexer, CUT_ARGUMENT);
  }

  if (valid[QUANTITY] && !comment &&
      (is_digit(lexer->lookahead) || lexer->lookahead == '-')) {
    return scan_quantity(lexer);
  }

  char word[WORD_SIZE] = {0};
  if (is_word_start(lexer->lookahead)) {
    // What is in the middle of a line is seldom for this scanner.
    if (!newline && (lost || !(valid[RULE_NAME] || valid[CUT_VALUE] ||
                               valid[ENTITY_START]))) {
      return false;
    }
    read_word(lexer, word);
  } else if (lexer->lookahead == '`' && newline && cuts) {
    advance(lexer);
    while (!at_line_end(lexer) && lexer->lookahead != '`') advance(lexer);
    if (lexer->lookahead == '`') advance(lexer);
  } else {
    return false;
  }

  const enum TokenType declaration = declaration_token(word);
  if (declaration != ERROR_SENTINEL) {
    // At the top level, the word is all.
    const bool top = !lost && valid[declaration] && !valid[IN_BLOCK];
    if (!top && !newline) return false;

    // In the middle of a clause, a declaration cuts it. Elsewhere it is a token
    // of its own, which has to come after the comments in front of it.
    const bool cutting = cuts && !valid[ITEM_END];
    if (!cutting) {
      if (comment) return false;
      lexer->mark_end(lexer);
      if (top) return produce(lexer, declaration);
    }
    const Follow follow = read_follow(lexer);
    if (begins_declaration(declaration, &follow, column == 0)) {
      return cutting ? cut_any(lexer, valid) : produce(lexer, declaration);
    }
    return cutting && cut_before_line(lexer, valid, word, &follow);
  }

  if (!lost && valid[RULE_NAME] && !comment && word[0] != 0 &&
      strcmp(word, "because") != 0) {
    const bool dashed = lexer->lookahead == '-';
    if (dashed || !newline) {
      while (is_word(lexer->lookahead) || lexer->lookahead == '-') {
        advance(lexer);
      }
      lexer->mark_end(lexer);
      return produce(lexer, RULE_NAME);
    }
  }

  if (!cuts) return false;

  if (!newline) {
    // A clause's keyword where a number or a string should be.
    return valid[CUT_VALUE] && is_clause_keyword(word) &&
           produce(lexer, CUT_VALUE);
  }

  const Follow follow = read_follow(lexer);
  return cut_before_line(lexer, valid, word, &follow);
}
