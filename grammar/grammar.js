/**
 * The Keywright language: DynamoDB data models in `.dynamo` files.
 *
 * Three ideas carry the grammar; README.md explains them at length.
 *
 * 1. Every keyword is contextual. `_name` is an identifier, a backticked name,
 *    or any keyword but the six reserved words, and always a leaf node `name`.
 * 2. A declaration's keyword is a token of the external scanner, so that the
 *    parser finds its feet at the next declaration whatever came before it.
 * 3. A clause may stop short. The scanner sees that the next line begins
 *    something else and hands out a "cut", an empty node `incomplete`. A node
 *    that holds neither `incomplete` nor an error has all its mandatory fields.
 */

/** Words that are keywords somewhere and names everywhere else. */
const CONTEXTUAL = [
  // declarations
  'import', 'allow', 'because', 'application', 'entity', 'relationship', 'table',
  'aggregate', 'pattern', 'workflow', 'consideration', 'tradeoff',
  // application
  'domain', 'context', 'scale', 'region', 'style', 'single_table', 'capacity',
  'on_demand', 'provisioned', 'utilization', 'class', 'standard',
  'standard_infrequent_access',
  // types
  'string', 'number', 'binary', 'boolean', 'timestamp', 'epoch', 'uuid', 'ulid',
  'ksuid', 'enum', 'list', 'set', 'map',
  // modifiers
  'id', 'unique', 'without', 'immutable', 'size', 'distinct', 'hottest', 'of',
  'copied_from', 'present', 'example',
  // entity clauses and measures
  'count', 'growing', 'lifetime', 'avg', 'max', 'peak',
  // relationships and aggregates
  'through', 'by', 'children', 'parents', 'identifying', 'decision',
  'single_item', 'item_collection', 'separate_tables',
  // tables
  'partition', 'sort', 'key', 'boundary', 'ttl', 'stream', 'keys_only',
  'new_image', 'old_image', 'new_and_old_images', 'point_in_time_recovery',
  'item', 'embeds', 'as', 'gsi', 'lsi', 'projection', 'all', 'include',
  'sparse', 'purpose',
  // patterns
  'reads', 'writes', 'ordered', 'descending', 'transact', 'batch', 'write',
  'get', 'times', 'from', 'query', 'where', 'scan', 'put', 'into', 'with',
  'update', 'in', 'remove', 'delete', 'check', 'filter', 'keeping', 'limit',
  'consistent', 'project', 'returning', 'if', 'begins_with', 'contains',
  'between', 'rate', 'latency', 'pages', 'no_write', 'no_read', 'external',
];

/** The two functions of a condition; apart, because `if exists` stands alone. */
const EXISTENCE = ['exists', 'not_exists'];

/** Letters outside ASCII: they make words, though no names. */
const FOREIGN =
  '\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u1fff\\u3040-\\ud7ff';

const PRIMITIVE_TYPES = [
  'string', 'number', 'binary', 'boolean', 'timestamp', 'epoch', 'uuid', 'ulid',
  'ksuid', 'map',
];

module.exports = grammar({
  name: 'dynamo',

  externals: $ => [
    // Never produced: valid in error mode only.
    $._error_sentinel,
    // Characters that no token has, and in error mode whole strings. An extra:
    // they disturb nothing, and the scanner is asked in every state.
    $.unexpected,
    // Valid between the clauses of a block. Produced, where no clause begins
    // with a name, for a word that begins none: the rest of its line.
    $.unknown_clause,
    // The same where clauses may begin with a name. Never produced.
    $._in_block,

    // The keyword that begins a declaration.
    $._import_start,
    $._application_start,
    $._entity_start,
    $._relationship_start,
    $._aggregate_start,
    $._table_start,
    $._pattern_start,
    $._workflow_start,
    $._consideration_start,
    $._tradeoff_start,

    $.quantity,
    $.cardinality,
    $.rule_name,

    // Inside strings and templates.
    $.string_content,
    $._string_end,
    $.template_content,
    $.escape_sequence,
    $.escaped_brace,
    $._hole_start,
    $._hole_end,
    $.hole_name,
    $.hole_parameter,
    $._hole_colon,
    $.hole_format,
    $.shard,
    $._hole_text,

    // Empty tokens that stand in for one that is missing.
    $._no_name,
    $._no_cardinality,
    $._no_brace,
    $._no_sign, // a colon, an equals sign or an operator
    $._no_where,

    // Cuts: empty tokens where a clause stops short. What each expects:
    $._cut_head, // the name of a declaration
    $._cut_value, // a number, a string or one of a closed set of words
    $._cut_word, // a name
    $._cut_link, // a certain keyword
    $._cut_name, // whatever stands on the same line
    $._cut_attribute, // the rest of an attribute
    $._cut_key, // the value of a key in an item block
    $._cut_argument, // what stands in parentheses
    $._cut_close, // a closing parenthesis or angle bracket
    $._cut_body, // an opening brace
    $._item_open, // the brace of an item block
    $._item_end, // the end of an item block whose brace is missing
  ],

  extras: $ => [
    /[ \t\r\n\f\v\u00a0\ufeff]/,
    $.comment,
    $.doc_comment,
    $.unexpected,
  ],

  word: $ => $.identifier,

  reserved: {
    global: _ => ['and', 'or', 'not', 'none', 'true', 'false'],
  },

  rules: {
    source_file: $ => repeat(choice(
      $.import,
      $.allow,
      $.application,
      $.entity,
      $.relationship,
      $.aggregate,
      $.table,
      $.pattern,
      $.workflow,
      $.consideration,
      $.tradeoff,
    )),

    import: $ => seq(
      alias($._import_start, 'import'),
      choice(field('path', $.string), cut($, 'value')),
    ),

    allow: $ => steps(
      ['allow', cut($, 'word')],
      [list(field('rule', $.rule_name), cut($, 'word')), cut($, 'link')],
      ['because', cut($, 'value')],
      [field('reason', $.string)],
    ),

    // Application

    application: $ => steps(
      [alias($._application_start, 'application'), cut($, 'head')],
      [choice(field('name', $._name), missing($, 'name')), cut($, 'body')],
      [field('body', $.application_body)],
    ),

    application_body: $ => block(brace($),
      $.domain_clause,
      $.context_clause,
      $.scale_clause,
      $.region_clause,
      $.style_clause,
      $.capacity_clause,
      $.class_clause,
      $.allow,
      $.unknown_clause,
    ),

    domain_clause: $ => valueClause($, 'domain', $.string),
    context_clause: $ => valueClause($, 'context', $.string),
    scale_clause: $ => valueClause($, 'scale', $.string),
    region_clause: $ => valueClause($, 'region', $.string),
    style_clause: $ => valueClause($, 'style',
      keywords($, 'aggregate', 'single_table')),

    capacity_clause: $ => seq('capacity', choice(
      cut($, 'value'),
      field('mode', keywords($, 'on_demand')),
      seq(
        field('mode', keywords($, 'provisioned')),
        optional(seq('utilization', choice(
          cut($, 'value'),
          field('utilization', $.quantity),
        ))),
      ),
    )),

    class_clause: $ => valueClause($, 'class',
      keywords($, 'standard', 'standard_infrequent_access')),

    // Entities

    entity: $ => steps(
      [alias($._entity_start, 'entity'), cut($, 'head')],
      [choice(field('name', $._name), missing($, 'name')), cut($, 'body')],
      [field('body', $.entity_body)],
    ),

    entity_body: $ => block(brace($),
      $.attribute,
      $.count_clause,
      $.size_clause,
      $.lifetime_clause,
      $.allow,
      $._in_block,
    ),

    attribute: $ => seq(
      choice(field('name', $._name), missing($, 'name')),
      choice(
        cut($, 'name'),
        seq(choice(':', missing($, 'sign')), choice(
          cut($, 'attribute'),
          seq(field('type', $.type), repeat(field('modifier', $._modifier))),
        )),
      ),
    ),

    type: $ => seq(
      field('base', $._simple_type),
      optional(field('optional', '?')),
    ),

    _simple_type: $ => choice(
      alias(choice(...PRIMITIVE_TYPES), $.primitive_type),
      $.enum_type,
      $.list_type,
      $.set_type,
      // A type that does not exist, or one that is still being typed.
      alias(choice($.identifier, $._foreign_identifier), $.unknown_type),
    ),

    enum_type: $ => seq('enum', choice(
      cut($, 'attribute'),
      parenList($, field('value', $._name)),
    )),

    list_type: $ => seq('list', optional(element($))),

    set_type: $ => seq('set', choice(cut($, 'attribute'), element($))),

    _modifier: $ => choice(
      $.id_modifier,
      $.unique_modifier,
      $.without_modifier,
      $.immutable_modifier,
      $.size_modifier,
      $.distinct_modifier,
      $.hottest_modifier,
      $.of_modifier,
      $.copied_from_modifier,
      $.present_modifier,
      $.example_modifier,
      $.unknown_modifier,
    ),

    id_modifier: _ => seq('@', 'id'),

    unique_modifier: $ => seq('@', 'unique',
      optional(parenList($, field('scope', $._name)))),

    without_modifier: $ => modifier($, 'without', field('value', $.string)),

    immutable_modifier: _ => seq('@', 'immutable'),

    size_modifier: $ => modifier($, 'size', field('measure', $.measure)),

    distinct_modifier: $ => modifier($, 'distinct', field('value', $.quantity)),

    hottest_modifier: $ => modifier($, 'hottest', field('value', $.quantity)),

    of_modifier: $ => modifier($, 'of', field('entity', $._name)),

    copied_from_modifier: $ => modifier($, 'copied_from', steps(
      [field('entity', $._name), cut($, 'argument')],
      ['.', cut($, 'argument')],
      [field('attribute', $._name)],
    )),

    present_modifier: $ => modifier($, 'present', field('value', $.quantity)),

    example_modifier: $ => modifier($, 'example',
      field('value', choice($.string, $.quantity, $.boolean))),

    // A modifier that does not exist, or one that is still being typed.
    unknown_modifier: $ => seq('@', choice(
      field('name', alias(choice($.identifier, $._foreign_identifier), $.name)),
      cut($, 'attribute'),
    )),

    count_clause: $ => seq('count', choice(
      cut($, 'value'),
      seq(
        field('value', $.quantity),
        optional(seq(',', choice(
          cut($, 'attribute'),
          seq('growing', choice(cut($, 'value'), field('growing', $.quantity))),
        ))),
      ),
    )),

    size_clause: $ => measureClause($, 'size'),

    lifetime_clause: $ => valueClause($, 'lifetime', $.quantity),

    measure: $ => choice(
      field('part', $.quantity),
      list(field('part', $.labelled_quantity), cut($, 'value')),
    ),

    labelled_quantity: $ => seq(
      field('label', keywords($, 'avg', 'max', 'peak')),
      choice(cut($, 'value'), field('value', $.quantity)),
    ),

    // Relationships and aggregates

    relationship: $ => seq(
      steps(
        [alias($._relationship_start, 'relationship'), cut($, 'head')],
        [field('left', $._name), cut($, 'head')],
        [
          choice(field('cardinality', $.cardinality), missing($, 'cardinality')),
          cut($, 'head'),
        ],
        [seq(
          field('right', $._name),
          optional(seq('through',
            choice(cut($, 'word'), field('through', $._name)))),
          optional(seq('by', choice(cut($, 'word'), field('by', $._name)))),
        )],
      ),
      optional(field('body', $.relationship_body)),
    ),

    relationship_body: $ => block('{',
      $.children_clause,
      $.parents_clause,
      $.identifying_clause,
      $.because_clause,
      $.allow,
      $.unknown_clause,
    ),

    children_clause: $ => measureClause($, 'children'),
    parents_clause: $ => measureClause($, 'parents'),
    identifying_clause: _ => 'identifying',
    because_clause: $ => because($),

    aggregate: $ => steps(
      [alias($._aggregate_start, 'aggregate'), cut($, 'head')],
      [
        choice(
          list(field('entity', $._name), cut($, 'head')),
          missing($, 'name'),
        ),
        cut($, 'body'),
      ],
      [field('body', $.aggregate_body)],
    ),

    aggregate_body: $ => block(brace($),
      $.decision_clause,
      $.because_clause,
      $.allow,
      $.unknown_clause,
    ),

    decision_clause: $ => valueClause($, 'decision',
      keywords($, 'single_item', 'item_collection', 'separate_tables')),

    // Tables

    table: $ => steps(
      [alias($._table_start, 'table'), cut($, 'head')],
      [choice(field('name', $._name), missing($, 'name')), cut($, 'body')],
      [field('body', $.table_body)],
    ),

    table_body: $ => block(brace($),
      $.partition_key,
      $.sort_key,
      $.boundary_clause,
      $.ttl_clause,
      $.stream_clause,
      $.point_in_time_recovery_clause,
      $.class_clause,
      $.capacity_clause,
      $.item,
      $.gsi,
      $.lsi,
      $.allow,
      $.unknown_clause,
    ),

    partition_key: $ => keyClause($, 'partition'),
    sort_key: $ => keyClause($, 'sort'),

    key_part: $ => seq(
      field('name', $._name),
      optional(seq(':', choice(
        cut($, 'value'),
        field('type', keywords($, 'string', 'number', 'binary')),
      ))),
    ),

    boundary_clause: $ => valueClause($, 'boundary', $.string),

    ttl_clause: $ => seq('ttl',
      choice(cut($, 'word'), field('attribute', $._name))),

    stream_clause: $ => valueClause($, 'stream',
      keywords($, 'keys_only', 'new_image', 'old_image', 'new_and_old_images')),

    point_in_time_recovery_clause: _ => 'point_in_time_recovery',

    item: $ => seq('item', choice(
      cut($, 'head'),
      seq(
        choice(field('entity', $._name), missing($, 'name')),
        repeat(field('embed', $.embeds)),
        optional(field('body', $.item_body)),
      ),
    )),

    embeds: $ => steps(
      ['embeds', cut($, 'word')],
      [field('entity', $._name), cut($, 'link')],
      ['as', cut($, 'word')],
      [field('list', $._name)],
    ),

    item_body: $ => prec.right(seq(
      alias($._item_open, '{'),
      repeat(choice($.key_value, $.allow, $._in_block)),
      optional(choice('}', $._item_end)),
    )),

    key_value: $ => steps(
      [
        choice(field('key', $._name), missing($, 'name')),
        cut($, 'name'),
      ],
      [choice('=', missing($, 'sign')), cut($, 'key')],
      [field('value', choice($.template, $._name))],
    ),

    gsi: $ => steps(
      ['gsi', cut($, 'head')],
      [choice(field('name', $._name), missing($, 'name')), cut($, 'body')],
      [field('body', $.index_body)],
    ),

    lsi: $ => steps(
      ['lsi', cut($, 'head')],
      [choice(field('name', $._name), missing($, 'name')), cut($, 'body')],
      [field('body', $.index_body)],
    ),

    index_body: $ => block(brace($),
      $.partition_key,
      $.sort_key,
      $.projection_clause,
      $.sparse_clause,
      $.purpose_clause,
      $.allow,
      $.unknown_clause,
    ),

    projection_clause: $ => seq('projection', choice(
      cut($, 'value'),
      seq(
        choice(
          field('kind', keywords($, 'all', 'keys_only')),
          seq(
            field('kind', keywords($, 'include')),
            choice(
              cut($, 'value'),
              parenList($, field('attribute', $._name)),
            ),
          ),
        ),
        optional(because($)),
      ),
    )),

    sparse_clause: $ => seq('sparse', optional(because($))),

    purpose_clause: $ => valueClause($, 'purpose', $.string),

    // Patterns

    pattern: $ => steps(
      [alias($._pattern_start, 'pattern'), cut($, 'head')],
      [choice(field('name', $._name), missing($, 'name')), cut($, 'body')],
      [field('body', $.pattern_body)],
    ),

    pattern_body: $ => block(brace($),
      $.reads_clause,
      $.writes_clause,
      $.step,
      $.transaction,
      $.rate_clause,
      $.latency_clause,
      $.pages_clause,
      $.no_write_clause,
      $.no_read_clause,
      $.external_clause,
      $.allow,
      $.unknown_clause,
    ),

    reads_clause: $ => requirement($, 'reads'),
    writes_clause: $ => requirement($, 'writes'),

    entity_use: $ => seq(
      field('entity', $._name),
      optional(parenList($, field('attribute', $._name))),
    ),

    transaction: $ => steps(
      [field('kind', keywords($, 'transact', 'batch')), cut($, 'link')],
      [field('mode', keywords($, 'write', 'get')), cut($, 'body')],
      [field('body', $.transaction_body)],
    ),

    transaction_body: $ => block(brace($), $.step, $.unknown_clause),

    step: $ => seq(
      field('operation', $._operation),
      optional(seq('times', choice(
        cut($, 'value'),
        field('times', $.quantity),
      ))),
    ),

    _operation: $ => choice(
      $.get_operation,
      $.query_operation,
      $.scan_operation,
      $.put_operation,
      $.update_operation,
      $.delete_operation,
      $.check_operation,
    ),

    get_operation: $ => operation($, 'get', field('subject', $.subject),
      'from', field('target', $.index_ref), repeat(field('option', $._option))),

    query_operation: $ => seq('query', choice(
      cut($, 'word'),
      seq(
        field('target', $.index_ref),
        choice(
          cut($, 'link'),
          seq(
            choice('where', missing($, 'where')),
            choice(cut($, 'word'), field('condition', $.conditions)),
          ),
        ),
        repeat(field('option', $._option)),
      ),
    )),

    scan_operation: $ => seq('scan', choice(
      cut($, 'word'),
      seq(field('target', $.index_ref), repeat(field('option', $._option))),
    )),

    put_operation: $ => operation($, 'put', field('subject', $.subject),
      'into', field('table', $._name),
      optional(seq('with', choice(
        cut($, 'word'),
        field('with_none', 'none'),
        list(field('with', $._name), cut($, 'word')),
      ))),
      optional(field('condition', $.if_condition))),

    update_operation: $ => operation($, 'update', field('subject', $.subject),
      'in', field('table', $._name),
      optional(seq('set', choice(
        cut($, 'word'),
        list(field('set', $._name), cut($, 'word')),
      ))),
      optional(seq('remove', choice(
        cut($, 'word'),
        list(field('remove', $._name), cut($, 'word')),
      ))),
      optional(field('condition', $.if_condition))),

    delete_operation: $ => operation($, 'delete', field('subject', $.subject),
      'from', field('table', $._name),
      optional(field('condition', $.if_condition))),

    check_operation: $ => operation($, 'check', field('subject', $.subject),
      'in', field('table', $._name),
      choice(cut($, 'link'), field('condition', $.if_condition))),

    subject: $ => seq(
      field('entity', $._name),
      optional(seq('as', choice(cut($, 'word'), field('role', $._name)))),
    ),

    index_ref: $ => seq(
      field('table', $._name),
      optional(seq('.', choice(cut($, 'name'), field('index', $._name)))),
    ),

    _option: $ => choice(
      $.filter_option,
      $.limit_option,
      $.descending_option,
      $.consistent_option,
      $.project_option,
      $.returning_option,
    ),

    filter_option: $ => seq('filter', choice(
      cut($, 'word'),
      seq(
        field('condition', $.conditions),
        optional(seq('keeping', choice(
          cut($, 'value'),
          field('keeping', $.quantity),
        ))),
      ),
    )),

    limit_option: $ => valueClause($, 'limit', $.quantity),
    descending_option: _ => 'descending',
    consistent_option: _ => 'consistent',

    project_option: $ => seq('project', choice(
      cut($, 'word'),
      list(field('attribute', $._name), cut($, 'word')),
    )),

    returning_option: $ => measureClause($, 'returning'),

    if_condition: $ => seq('if', choice(
      cut($, 'word'),
      field('existence', keywords($, ...EXISTENCE)),
      field('condition', $.conditions),
    )),

    conditions: $ => seq(
      field('term', $._term),
      repeat(seq(
        field('operator', keywords($, 'and', 'or')),
        choice(cut($, 'word'), field('term', $._term)),
      )),
    ),

    _term: $ => choice(
      $.comparison,
      $.existence,
      $.not_condition,
      $.group,
    ),

    comparison: $ => choice(
      // Not after `exists`: alone, it is a whole condition.
      seq(field('attribute', $._plain_name), choice(cut($, 'word'), relation($))),
      seq(
        field('attribute', alias(choice(...EXISTENCE), $.name)),
        relation($),
      ),
    ),

    existence: $ => seq(
      field('function', keywords($, ...EXISTENCE)),
      parens($, field('attribute', $._name)),
    ),

    not_condition: $ => seq('not',
      choice(cut($, 'word'), field('condition', $._term))),

    group: $ => parens($, field('conditions', $.conditions)),

    _operand: $ => choice($.template, $.quantity, $.parameter, $.boolean),

    rate_clause: $ => measureClause($, 'rate'),
    latency_clause: $ => valueClause($, 'latency', $.quantity),
    pages_clause: $ => measureClause($, 'pages'),

    no_write_clause: $ => seq('no_write', choice(cut($, 'link'), because($))),
    no_read_clause: $ => seq('no_read', choice(cut($, 'link'), because($))),

    external_clause: $ => seq('external', choice(
      cut($, 'value'),
      seq(field('value', $.string), choice(cut($, 'link'), because($))),
    )),

    // Workflows and remarks

    workflow: $ => steps(
      [alias($._workflow_start, 'workflow'), cut($, 'head')],
      [choice(field('name', $._name), missing($, 'name')), cut($, 'body')],
      [field('body', $.workflow_body)],
    ),

    workflow_body: $ => prec.right(seq(
      brace($),
      optional(choice(
        $._in_block,
        list(field('pattern', $._name), cut($, 'word')),
      )),
      optional('}'),
    )),

    consideration: $ => seq(
      alias($._consideration_start, 'consideration'),
      choice(cut($, 'value'), field('text', $.string)),
    ),

    tradeoff: $ => seq(
      alias($._tradeoff_start, 'tradeoff'),
      choice(
        cut($, 'value'),
        seq(field('text', $.string), choice(cut($, 'link'), because($))),
      ),
    ),

    // Names and literals

    _name: $ => choice(
      $._plain_name,
      ...EXISTENCE.map(word => alias(word, $.name)),
    ),

    _plain_name: $ => choice(
      alias($.identifier, $.name),
      alias($._quoted_name, $.name),
      // Such a name needs backticks.
      alias($._foreign_identifier, $.unexpected),
      ...CONTEXTUAL.map(word => alias(word, $.name)),
    ),

    identifier: _ => /[A-Za-z_][A-Za-z0-9_]*/,

    _foreign_identifier: _ => new RegExp(
      `[A-Za-z0-9_]*[${FOREIGN}][A-Za-z0-9_${FOREIGN}]*`, 'u'),

    _quoted_name: _ => /`[^`\r\n]+`/,

    parameter: _ => /:[A-Za-z_][A-Za-z0-9_]*/,

    boolean: _ => choice('true', 'false'),

    // A string ends at its line's end; whether the quote is there is for the
    // analysis to say.
    string: $ => seq(
      '"',
      repeat(choice($.string_content, $.escape_sequence)),
      optional(alias($._string_end, '"')),
    ),

    template: $ => seq(
      '"',
      repeat(choice(
        $.template_content,
        $.escape_sequence,
        $.escaped_brace,
        $.hole,
      )),
      optional(alias($._string_end, '"')),
    ),

    hole: $ => seq(
      alias($._hole_start, '{'),
      optional($.hole_parameter),
      repeat(choice(
        $.hole_name,
        $.shard,
        seq(alias($._hole_colon, ':'), optional($.hole_format)),
        $._hole_text,
      )),
      optional(alias($._hole_end, '}')),
    ),

    comment: _ => token(seq('//', optional(choice(
      /[^\/\r\n][^\r\n]*/,
      /\/\/[^\r\n]*/,
    )))),

    doc_comment: _ => token(seq('///', optional(/[^\/\r\n][^\r\n]*/))),
  },
});

/** The place where a clause may stop short, as an empty node `incomplete`. */
function cut($, expecting) {
  return alias($[`_cut_${expecting}`], $.incomplete);
}

/** An empty node `incomplete` where a token is missing and more follows. */
function missing($, what) {
  return alias($[`_no_${what}`], $.incomplete);
}

/**
 * A sequence that may stop short after each of its parts: an entry is a part
 * and the cut that may stand in for all that comes after it.
 */
function steps(...parts) {
  return parts.reduceRight((rest, [part, stop]) =>
    rest === null ? part : seq(part, choice(stop, rest)), null);
}

/** Items separated by commas; with a cut, what may follow a last comma. */
function list(item, stop) {
  return seq(item, repeat(seq(',', stop ? choice(stop, item) : item)));
}

/** Something in parentheses. */
function parens($, content) {
  return seq(
    '(',
    choice(cut($, 'argument'), content),
    choice(cut($, 'close'), ')'),
  );
}

/** A list in parentheses, where a comma may trail. */
function parenList($, item) {
  return parens($, seq(list(item), optional(',')));
}

/** The element of a collection type, in angle brackets. */
function element($) {
  return seq(
    '<',
    choice(cut($, 'argument'), field('element', $._simple_type)),
    choice(cut($, 'close'), '>'),
  );
}

/** The brace of a block that has to be there. */
function brace($) {
  return choice('{', missing($, 'brace'));
}

/**
 * A block of clauses. Its closing brace is optional, for a declaration begins
 * wherever its keyword stands; the analysis reports the brace.
 */
function block(open, ...clauses) {
  return prec.right(seq(
    open,
    repeat(choice(...clauses)),
    optional('}'),
  ));
}

function oneOf(tokens) {
  return tokens.length === 1 ? tokens[0] : choice(...tokens);
}

/** One of a closed set of words, as a leaf `keyword_value`. */
function keywords($, ...words) {
  return alias(oneOf(words), $.keyword_value);
}

function valueClause($, keyword, value) {
  return seq(keyword, choice(cut($, 'value'), field('value', value)));
}

function measureClause($, keyword) {
  return seq(keyword, choice(cut($, 'value'), field('measure', $.measure)));
}

function because($) {
  return seq('because', choice(cut($, 'value'), field('reason', $.string)));
}

function modifier($, word, argument) {
  return seq('@', word, choice(
    cut($, 'attribute'),
    parens($, argument),
  ));
}

function keyClause($, which) {
  return steps(
    [which, cut($, 'link')],
    ['key', cut($, 'word')],
    [seq(
      list(field('part', $.key_part), cut($, 'word')),
      optional(because($)),
    )],
  );
}

function requirement($, keyword) {
  return seq(keyword, choice(
    cut($, 'word'),
    seq(
      list(field('use', $.entity_use), cut($, 'word')),
      optional(seq('by', choice(
        cut($, 'word'),
        list(field('by', $._name), cut($, 'word')),
      ))),
      optional(seq('ordered', choice(
        cut($, 'link'),
        seq('by', choice(
          cut($, 'word'),
          seq(
            field('order', $._name),
            optional(field('descending', 'descending')),
          ),
        )),
      ))),
    ),
  ));
}

/** keyword subject preposition place …; the tail may follow a missing place. */
function operation($, keyword, subject, preposition, place, ...tail) {
  return steps(
    [keyword, cut($, 'word')],
    [subject, cut($, 'link')],
    [seq(preposition, choice(cut($, 'word'), place), ...tail)],
  );
}

/** What follows the attribute of a comparison. */
function relation($) {
  const operator = (...tokens) =>
    field('operator', alias(oneOf(tokens), $.operator));
  const operand = field('operand', $._operand);
  return choice(
    seq(
      operator('=', '<>', '<', '<=', '>', '>=', 'begins_with', 'contains'),
      choice(cut($, 'value'), operand),
    ),
    seq(missing($, 'sign'), operand),
    seq(
      operator('between'),
      choice(
        cut($, 'value'),
        steps([operand, cut($, 'link')], ['and', cut($, 'value')], [operand]),
      ),
    ),
    seq(
      operator('in'),
      choice(cut($, 'value'), parenList($, operand)),
    ),
  );
}
