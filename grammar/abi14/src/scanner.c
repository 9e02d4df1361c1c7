#include "../../src/scanner.c"
