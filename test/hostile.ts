import fc from 'fast-check'

/** Inputs known to break forms: text for databases, browsers, mail, shells and parsers, and values that are not text. */
const rows: unknown[][] = [
  [null, true, false, 0, -1, 1e308, 1e-308, 2 ** 53, [], {}, [[]], [null], { $ne: null }, { length: 1e9 }, ['a', 'b']],
  ['', ' ', '\t', '\n', '\r\n', '\u00A0', '\u200B', '\uFEFF', '\u2028', '\u0085'],
  ['\u0000', 'a\u0000b', '\\u0000', '%00', '\uD800', '\uDC00', 'a\uD83Db', '\uFFFE', '\uFFFF', '\u001B[31mred'],
  ['\u202Eevil', '\u2066x\u2069', 'e\u0301'.repeat(60), `Z${'\u0350'.repeat(500)}`, '👩‍👩‍👧‍👦'.repeat(50), 'ﷺ'.repeat(200), 'ß'.repeat(121)],
  [
    "'",
    "''",
    '"',
    '`',
    '\\',
    '\\\\',
    ';',
    '--',
    "' OR 1=1 --",
    "'; DROP TABLE contacts; --",
    '$1',
    '${1}',
    '%s%s%n',
    '{{7*7}}',
    '<%= 1 %>',
  ],
  [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '</textarea><script>',
    '<!--',
    ']]>',
    '&#0;',
    '&lt;',
    'javascript:alert(1)',
  ],
  ['=1+1', '@SUM(1)', '+1', '-1', '=HYPERLINK("https://evil.example")', 'a,b;c\td', '"quoted ""csv"""'],
  [
    'a@b.example\r\nBcc: all@evil.example',
    'a@b.example%0ABcc:all',
    'a@[127.0.0.1]',
    '"a b"@b.example',
    'a@b',
    '@',
    'a@.',
    `${'a'.repeat(65)}@b.example`,
  ],
  [
    `a@${'b.'.repeat(120)}example`,
    `a@${'x'.repeat(64)}.example`,
    'a@xn--.example',
    'a@ü.example',
    'a@😀.example',
    'a@b.example.',
    'a@-b.example',
  ],
  ['../../etc/passwd', '/dev/null', 'C:\\con', 'file:///etc/passwd', 'http://169.254.169.254/', '$(id)', '`id`', '| id', '() { :; }; id'],
  ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'undefined', 'null', 'NaN', 'Infinity', 'true', '[object Object]'],
  ['{"a":1}', '[]', '{', 'a: b', '<?xml version="1.0"?>', '---', '\\', '\u0001\u0002\u0003', '0x1F', '1e5', '٣', 'Ⅷ'],
  ['x'.repeat(121), 'x'.repeat(256), 'x'.repeat(5_001), 'x'.repeat(65_536), ' '.repeat(10_000), '\n'.repeat(10_000), ' \n'.repeat(5_000)],
  [
    `Budget Range:\nTimeframe:`,
    `${'Budget Range: '.repeat(500)}\nTimeframe: asap`,
    'x\nBudget Range: \u0000\nTimeframe: \uD800',
    'a'.repeat(5_000) + '!',
  ],
  ['2026-13-45', '00000000-0000-0000-0000-000000000000', 'under-1k', 'asap', 'Other', 'Deutschland', 'hire', 'W-AAAAAA'],
]
const corpus = rows.flat()

/** This number of hostile values: the corpus, then random ones. Deterministic. */
export function hostileValues(count: number): unknown[] {
  const text = fc.string({ unit: 'binary', maxLength: 400 })
  const odd = fc.oneof(
    text,
    text,
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
    fc.jsonValue(),
  )
  return [...corpus, ...fc.sample(odd, { numRuns: Math.max(0, count - corpus.length), seed: 20_261_120 })].slice(0, count)
}
