"""What the tests of Helix are done with: models, a configuration, a theme."""

from helix import CHOSEN

# The emoji have two columns, four bytes, and two units of UTF-16.
SHOP = """\
// 😀 a shop
application Shop {
  domain "Sells 😀 things"
  scale  "10 users"
}

import "users.dynamo"

/// Orders of a user.
entity Order {
  order_id: ulid @id
  user_id:  uuid @example("😀") @of(User)
  state:    enum(open, paid)
  count 40M
  size 2KB
}

table Orders {
  partition key user_id because "😀 spreads well."
  sort key order_id because "ULIDs sort by time."

  item Order
}

pattern ListOrders {
  query Orders where user_id = :user and order_id > :from
  rate avg 10/s, peak 20/s
  latency 20ms
}
"""

USERS = """\
/// Somebody 😀 who buys.
entity User {
  user_id: uuid @id
  count 2M
  size 1KB
}

table Users {
  partition key user_id because "Known when somebody signs in."
  item User
}

pattern GetUser {
  get User from Users
  rate 5/s
  latency 20ms
}
"""

CONFIG = """\
theme = "test"
[editor]
true-color = true
auto-completion = false
end-of-line-diagnostics = "hint"
[editor.inline-diagnostics]
cursor-line = "warning"
"""

SCOPES = [
    "attribute", "comment.line", "comment.line.documentation", "constant", "constant.builtin",
    "constant.builtin.boolean", "constant.character.escape", "constant.numeric", "function", "function.builtin",
    "keyword", "keyword.operator", "label", "namespace", "operator", "punctuation.bracket",
    "punctuation.delimiter", "punctuation.special", "string", "type", "type.builtin", "variable",
    "variable.other.member", "variable.parameter",
]  # fmt: skip

# Each scope has a colour of its own, by which it is known again.
COLOURS = {f"#1010{number:02x}": scope for number, scope in enumerate(SCOPES, 16)}
THEME = "".join(f'"{scope}" = "{colour}"\n' for colour, scope in COLOURS.items())
THEME += f"""
"ui.menu.selected" = {{ bg = "{CHOSEN}" }}
"ui.selection" = {{ bg = "#ff0000" }}
"diagnostic" = {{ underline = {{ style = "line" }} }}
"""

COLOURED = """\
/// What it is.
application Shop { style aggregate }
entity `Cart` { // one
  cart_id: ulid @id
  sizes: list<number> @example("a\\"b")
  open: enum(yes)? @present(5%)
}
table Carts {
  partition key cart_id: string
  item Cart { sk = "C#{cart_id}" }
  gsi Open { projection include(open) }
}
pattern ListCarts {
  reads Cart(open)
  query Carts.Open where cart_id = :id and not exists(open)
  filter ok = true
  allow scan-pattern because "x"
}
"""

# The scopes of the words above, in their order; what is in a string is one.
EXPECTED = """\
///|What|it|is.=comment.line.documentation
application=keyword Shop=namespace {=punctuation.bracket style=keyword aggregate=constant.builtin }=punctuation.bracket
entity=keyword `Cart`=type {=punctuation.bracket //|one=comment.line
cart_id=variable.other.member :=punctuation.delimiter ulid=type.builtin @id=attribute
sizes=variable.other.member :=punctuation.delimiter list=type.builtin <=punctuation.bracket number=type.builtin \
>=punctuation.bracket @example=attribute (=punctuation.bracket "a=string \\"=constant.character.escape b"=string \
)=punctuation.bracket
open=variable.other.member :=punctuation.delimiter enum=type.builtin (=punctuation.bracket yes=constant \
)=punctuation.bracket ?=operator @present=attribute (=punctuation.bracket 5%=constant.numeric )=punctuation.bracket
}=punctuation.bracket
table=keyword Carts=namespace {=punctuation.bracket
partition|key=keyword cart_id=variable.other.member :=punctuation.delimiter string=type.builtin
item=keyword Cart=type {=punctuation.bracket sk=variable.other.member ==operator "C#=string {=punctuation.special \
cart_id=variable.other.member }=punctuation.special "=string }=punctuation.bracket
gsi=keyword Open=namespace {=punctuation.bracket projection=keyword include=constant.builtin (=punctuation.bracket \
open=variable.other.member )|}=punctuation.bracket
}=punctuation.bracket
pattern=keyword ListCarts=function {=punctuation.bracket
reads=keyword Cart=type (=punctuation.bracket open=variable.other.member )=punctuation.bracket
query=keyword Carts=namespace .=punctuation.delimiter Open=namespace where=keyword cart_id=variable.other.member \
==operator :id=variable.parameter and|not=keyword.operator exists=function.builtin (=punctuation.bracket \
open=variable.other.member )=punctuation.bracket
filter=keyword ok=variable.other.member ==operator true=constant.builtin.boolean
allow=keyword scan-pattern=label because=keyword "x"=string
}=punctuation.bracket
"""
