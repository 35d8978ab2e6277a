import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RedirectBody } from '#app/redirects/rules/redirect.ts'
import { writeAddress } from '#app/redirects/engine/address.server.ts'
import { detectFormat, type Format } from './rule-file.ts'
import { readRuleFile, writeRules } from './rule-file.server.ts'

const HERE = 'https://winnow.example'
const rule = (given: Partial<RedirectBody>): RedirectBody => ({
  fromPath: '/old',
  toPath: '/new',
  statusCode: 301,
  isActive: true,
  description: undefined,
  kind: 'exact',
  query: 'pass',
  ignoresSlash: true,
  ignoresCase: false,
  ...given,
})

/** Line by line: the rule in short, or the reason. */
function outline(text: string, format: Format): string[] {
  return readRuleFile(text, format, HERE).map(({ line, rule, refused }) => {
    if (!rule) return `${line} ${refused}`
    const { kind, fromPath, toPath, statusCode, query, ignoresSlash, ignoresCase, isActive } = rule
    const options = [kind, query, ignoresSlash && 'slash', ignoresCase && 'case', !isActive && 'off'].filter(Boolean).join(' ')
    return `${line} ${fromPath} ${toPath} ${statusCode} ${options}`
  })
}

describe('Apache', () => {
  test('its directives become the rules that they are there', () => {
    const file = String.raw`RewriteEngine On
# The shop of before
RewriteRule ^shop/(.*)$ /store/$1 [R=301,L]
RewriteRule ^/?tag/([a-z]+)/?$ /topics/$1 [NC,R,L,QSD]
RewriteRule "^caf\.html$" "https://elsewhere.example/a b?x=1" [R=308]
Redirect 301 /about-us /about
Redirect permanent /team.html /about
Redirect /blog/ https://blog.example/
RedirectPermanent /old \
  /new
RedirectMatch 302 ^/news/(\d+)$ /posts/$1
RedirectMatch 301 ^/faq/?$ /questions
RedirectMatch 301 \.php$ /gone`
    expect(outline(file, 'apache')).toEqual([
      '3 /shop/* /store/* 301 wildcard pass',
      '4 /tag/([a-z]+) /topics/$1 302 pattern ignore slash case',
      '5 /caf.html https://elsewhere.example/a b?x=1 308 exact ignore',
      '6 /about-us /about 301 exact pass',
      '6 /about-us/* /about/* 301 wildcard pass',
      '7 /team.html /about 301 exact pass',
      '8 /blog/* https://blog.example/* 302 wildcard pass slash',
      '9 /old /new 301 exact pass',
      '9 /old/* /new/* 301 wildcard pass',
      String.raw`11 /news/(\d+) /posts/$1 302 pattern pass`,
      '12 /faq /questions 301 exact pass slash',
      String.raw`13 /.*\.php /gone 301 pattern pass`,
    ])
    expect(readRuleFile(file, 'apache', HERE)[0]?.rule?.description).toBe('The shop of before')
  })

  test('unsupported rules are reported with line and reason', () => {
    const file = `RewriteCond %{HTTP_HOST} ^old
RewriteRule ^a$ /b [R=301]
RewriteRule ^a$ /b [L]
RewriteRule ^a$ /b [R=301,CO=x]
RewriteRule ^a$ http://%{HTTP_HOST}/b [R]
RewriteRule !^a$ /b [R]
RewriteRule ^a$ - [R=410]
Redirect gone /x
Redirect 303 /x /y
<Location /x>
Redirect 301 /x /y
</Location>
<IfModule mod_alias.c>
RedirectMatch 301 ^/a$|^/b$ /c
ErrorDocument 404 /x
</IfModule>
Redirect 301 old /new
RedirectMatch 404 /private
RedirectMatch gone ^/old$`
    expect(outline(file, 'apache')).toEqual([
      '1 Conditions are not supported; the rule that follows is skipped as well',
      '2 It depends on the condition above it',
      '3 It rewrites without redirecting: the flag R is missing',
      '4 The flag CO=x is not supported',
      '5 Variables and maps in a target are not supported',
      '6 Negated patterns are not supported',
      '7 The status 410 is not 301, 302, 307 or 308',
      '8 The status gone is not 301, 302, 307 or 308',
      '9 The status 303 is not 301, 302, 307 or 308',
      '10 Sections are not supported',
      '11 It applies only inside <Location /x>, which is not supported',
      '14 Alternatives ( | ) outside of brackets are not supported: write one rule for each',
      '15 ErrorDocument is not a redirect',
      '17 From path must start with /',
      '18 The status 404 is not 301, 302, 307 or 308',
      '19 The status gone is not 301, 302, 307 or 308',
    ])
  })
})

test('a target beyond ASCII is written as it is sent, and a query joined to that of a target leaves no sign at its end', () => {
  const cafe = rule({ fromPath: '/café', toPath: '/menü?a=ß#ä', query: 'ignore' })
  const joined = rule({ fromPath: '/form', toPath: '/contact?from=form', statusCode: 307 })
  for (const format of ['apache', 'nginx'] as const) {
    const { text, left } = writeRules([cafe, joined], format)
    expect(left).toEqual([])
    expect(text.replaceAll('\\%', '%')).toContain('/men%C3%BC?a=%C3%9F#%C3%A4')
    expect(text).not.toContain('&"')
    expect(text).not.toContain('&$args"; }')
  }
})

test('nginx gets no rule that would send a line break of a visitor', () => {
  const [written, left] = ([301, 307] as const).map((statusCode) =>
    writeRules([rule({ kind: 'wildcard', fromPath: '/a/*', toPath: '/b/*', statusCode })], 'nginx'),
  )
  expect(written?.left).toEqual([])
  expect(left?.left[0]?.reason).toBe('nginx does not encode the part of the path that a 307 or 308 passes on')
})

describe('nginx', () => {
  test('its directives become rules in the order in which it tries them', () => {
    const file = String.raw`server {
  listen 80;
  location / { return 301 https://new.example$request_uri; }
  location /docs/ { return 301 /help; }
  location ~* ^/user/(\d+)$ { return 302 /people/$1$is_args$args; }
  location = /x {
    return 301 /y;
  }
  rewrite ^/old/(.*)$ /new/$1 permanent;
  rewrite ^/a$ /b? redirect;
  if ($uri ~ "^/form$") { return 308 "/contact?from=form&$args"; }
}
map $request_uri $where {
  default "";
  ~^/p/(\w+)$ /product/$1;
  /Sale /offers;
}`
    expect(outline(file, 'nginx')).toEqual([
      '16 /Sale /offers 301 exact ignore case',
      '9 /old/* /new/* 301 wildcard pass',
      '10 /a /b 302 exact ignore',
      '11 /form /contact?from=form 308 exact pass',
      String.raw`15 /p/(\w+) /product/$1 301 pattern ignore`,
      '7 /x /y 301 exact ignore',
      String.raw`5 /user/(\d+) /people/$1 302 pattern pass case`,
      '4 /docs/* /help 301 wildcard ignore',
      '3 /* https://new.example/* 301 wildcard pass slash',
    ])
  })

  test('unsupported rules are reported with line and reason', () => {
    const file = `rewrite ^/a$ /b last;
return 404;
location = /x { proxy_pass http://app; }
location ~ ^/y$ { return 301 $scheme://host/y; }
if ($host = old.example) { return 301 https://new.example/; }
map $host $to { a b; }
gzip on;
location @named { return 301 /z; }
location /z { return 301 /z`
    expect(outline(file, 'nginx').toSorted()).toEqual([
      '1 It rewrites without redirecting: neither permanent nor redirect',
      '2 The status 404 is not 301, 302, 307 or 308',
      '3 This block has no redirects',
      '4 Variables in a target are not supported',
      '5 Only conditions on $uri are supported',
      '6 Only maps of the path are supported',
      '7 gzip is not a redirect',
      '8 A named location is not a path',
      '9 A semicolon is missing at its end',
      '9 This block has no redirects',
    ])
    expect(outline('location = /x { return 301 /y; } }', 'nginx').at(-1)).toBe('1 Unexpected closing brace')
  })
})

describe('CSV', () => {
  test('our own columns, those of plug-ins, and none at all', () => {
    expect(outline('From;To;Status code;Active\n/a;/b;302;no\n\n/c/*;/d/*;;\n', 'csv')).toEqual([
      '2 /a /b 302 exact pass slash off',
      '4 /c/* /d/* 301 wildcard pass slash',
    ])
    expect(
      outline(
        `source,target,regex,code,type,hits,title,status\n^/n/(\\d+),/p/$1,1,301,url,7,,disabled\n${HERE}/q?x=1,/r,0,307,url,0,Note,active\n`,
        'csv',
      ),
    ).toEqual([String.raw`2 /n/(\d+).* /p/$1 301 pattern pass off`, '3 /q?x=1 /r 307 exact contains slash'])
    expect(outline('/a,/b\n/c,https://else.example/,308', 'csv')).toEqual([
      '1 /a /b 301 exact pass slash',
      '2 /c https://else.example/ 308 exact pass slash',
    ])
    expect(outline('/old/1,/new/1,302\n/old/2,/new/2', 'csv')).toEqual([
      '1 /old/1 /new/1 302 exact pass slash',
      '2 /old/2 /new/2 301 exact pass slash',
    ])
    expect(outline('Origin,Target,Type,Format\n/a,/b,301,plain\n', 'csv')).toEqual(['2 /a /b 301 exact pass slash'])
  })

  test('each refused line is named, also behind cells of several lines', () => {
    const file =
      'From,To,Status\r\n"/a","/b","301"\r\n/c,,301\r\n/d,javascript:alert(1),301\r\n/e,/f,303\r\nhttps://else.example/x,/y,301\r\nx,/y,301\r\n"/g\nh",/y,301\r\n/i,//evil.example,301\r\n/j,/k,301\r\n/l,"/m,301\r\n'
    expect(outline(file, 'csv')).toEqual([
      '2 /a /b 301 exact pass slash',
      '3 To path is required',
      '4 To path must start with a single /, or be an http: or https: address',
      '5 Status code must be 301, 302, 307 or 308',
      '6 The from path belongs to another site',
      '7 /x /y 301 exact pass slash',
      '8 From path must be one line without control characters',
      '10 To path must start with a single /, or be an http: or https: address',
      '11 /j /k 301 exact pass slash',
      '12 A quotation mark is not closed',
    ])
    expect(outline(`/a,/b\n/c,"/d\n${'x\n'.repeat(15_000)}`, 'csv')[0]).toBe('1 /a /b 301 exact pass slash')
    expect(outline(`/a,/b\n/c,"/d\n${'x\n'.repeat(15_000)}`, 'csv')[1]).toMatch(/^\d+ A quotation mark is not closed$/)
    expect(outline('a,b\n1,2', 'csv')).toEqual(['1 The header needs at least the columns From and To'])
    expect(outline('', 'csv')).toEqual([])
  })

  test('columns of other plug-ins, words for the status, addresses of this site and missing slashes are read, and told', () => {
    expect(outline('id,source,matching,destination,type,category,status,ignore\n1,a,exact,b,301,,active,\n', 'csv')).toEqual([
      '2 /a /b 301 exact pass slash',
    ])
    expect(outline('Redirect from,Redirect to\n/a,/b\n', 'csv')).toEqual(['2 /a /b 301 exact pass slash'])
    expect(outline('/blog/* /news/:splat 302!\n# Old\n/a https://else.example/x\n/n/:year /y\n', 'csv')).toEqual([
      '1 /blog/* /news/* 302 wildcard pass slash',
      '3 /a https://else.example/x 301 exact pass slash',
      '4 Placeholders such as :year are not supported',
    ])
    const file = `From,To,Type\nhttp://www.winnow.example/a?x=1,about-us,permanent\n/b,${HERE}/c,Temporary\n/d,/e,302 Found\n/f,else.example/x,gone\n`
    expect(outline(file, 'csv')).toEqual([
      '2 /a?x=1 /about-us 301 exact contains slash',
      '3 /b /c 302 exact pass slash',
      '4 /d /e 302 exact pass slash',
      '5 To path must start with a single /, or be an http: or https: address',
    ])
    expect(readRuleFile(file, 'csv', HERE).map(({ notes }) => notes)).toEqual([
      [
        'The address of this site is stored as its path: http://www.winnow.example/a?x=1',
        'The leading slash was missing.',
        '“permanent” is read as 301.',
      ],
      [`The address of this site is stored as its path: ${HERE}/c`, '“Temporary” is read as 302.'],
      undefined,
      undefined,
    ])
  })

  test('a spreadsheet runs nothing of an export', () => {
    const { text } = writeRules([rule({ description: '=HYPERLINK("x")' })], 'csv')
    expect(text).toContain('"\'=HYPERLINK(""x"")"')
    expect(readRuleFile(text, 'csv', HERE)[0]?.rule?.description).toBe('=HYPERLINK("x")')
  })
})

test('JSON: a list, bare or under its name, and each entry with the line on which it begins', () => {
  const file =
    '{ "version": [1, 2],\n "redirects": [\n  { "from": "/a",\n    "to": "/b" },\n  { "fromPath": "/c", "toPath": "/d", "statusCode": 999 },\n  7, { "source": "/e", "target": "/f", "code": "302", "isActive": false, "description": null }\n] }'
  expect(outline(file, 'json')).toEqual([
    '3 /a /b 301 exact pass slash',
    '5 Status code must be 301, 302, 307 or 308',
    '6 This is not an object',
    '6 /e /f 302 exact pass slash off',
  ])
  expect(outline('[\n{"from": "/a",}\n]', 'json')).toEqual(['2 The JSON is invalid from here on'])
  expect(outline('{"a": 1}', 'json')[0]).toMatch(/^1 This is not a list of redirects/)
})

test('the JSON export of the Redirection plug-in is taken, and what no redirect can be is named by entry', () => {
  const entry = (given: object) => ({
    id: 1,
    url: '/a',
    match_url: '/a',
    match_data: { source: { flag_query: 'pass', flag_case: false, flag_trailing: true, flag_regex: false } },
    action_code: 301,
    action_type: 'url',
    action_data: { url: '/b' },
    match_type: 'url',
    title: '',
    regex: false,
    group_id: 1,
    enabled: true,
    ...given,
  })
  const source = (given: object) => ({ match_data: { source: { flag_query: 'exact', flag_case: false, flag_trailing: false, ...given } } })
  const redirects = [
    entry({ title: 'Moved' }),
    entry({ url: '/Q?x=1', ...source({ flag_case: true }) }),
    entry({
      url: '^/n/(\\d+)$',
      regex: true,
      action_code: 302,
      action_data: { url: '/p/$1' },
      ...source({ flag_query: 'ignore', flag_regex: true }),
    }),
    entry({ group_id: 2 }),
    entry({ enabled: false, action_data: '/c' }),
    entry({ action_type: 'error', action_code: 410, action_data: {} }),
    entry({ action_type: 'error', action_code: 404, action_data: {} }),
    entry({ action_type: 'random', action_data: {} }),
    entry({ match_type: 'login', action_data: { logged_in: '/x', logged_out: '/y' } }),
    entry({ action_code: 303 }),
    entry({ action_data: { url: '//evil.example' } }),
  ]
  const groups = [
    { id: 1, status: 'enabled', name: 'Ours' },
    { id: 2, status: 'disabled', name: 'Theirs' },
  ]
  const file = JSON.stringify({ plugin: { version: '5.5.2', date: 'x' }, groups, redirects })
  expect(outline(file, 'json')).toEqual([
    '1 /a /b 301 exact pass slash',
    '1 /Q?x=1 /b 301 exact exact case',
    String.raw`1 /n/(\d+) /p/$1 302 pattern ignore`,
    '1 /a /b 301 exact pass slash off',
    '1 /a /c 301 exact pass slash off',
    '1 A rule with the response 410 Gone cannot be imported: a redirect has the status 301, 302, 307 or 308',
    '1 A rule with the response 404 cannot be imported: a redirect has the status 301, 302, 307 or 308',
    '1 Only rules with a single target URL can be imported',
    '1 Rules with conditions on the visitor cannot be imported',
    '1 Status code must be 301, 302, 307 or 308',
    '1 To path must start with a single /, or be an http: or https: address',
  ])
  expect(readRuleFile(file, 'json', HERE)[0]?.rule?.description).toBe('Moved')
})

test.each([
  ['From,To\n/a,/b', undefined, 'csv'],
  ['/a;/b', 'list.CSV', 'csv'],
  [' [{"from":"/a"}]', undefined, 'json'],
  ['# ours\nRedirect 301 /a /b', undefined, 'apache'],
  ['<IfModule x>\n  RewriteRule a b [R]', undefined, 'apache'],
  ['rewrite ^/a$ /b permanent;', undefined, 'nginx'],
  ['server {\n location = /x { return 301 /y; }', undefined, 'nginx'],
  ['anything', 'site.conf', 'nginx'],
] as const)('%j is taken for what it is', (text, name, format) => {
  expect(detectFormat(text, name)).toBe(format)
})

test.each(['csv', 'apache', 'nginx'] as const)('%s: a file with a line that no rule can be is not read at all', (format) => {
  expect(outline(`/a,/b\n${','.repeat(20_001)}`, format)).toEqual(['2 A line can have at most 20,000 characters; nothing was imported'])
})

describe('an export imports as the same rules in the same order', () => {
  const segment = fc
    .stringMatching(/^[a-z0-9 .+~()'"é[\]{}$&=,!-]{1,8}$/)
    .filter((text) => text.trim() === text && text !== '.' && text !== '..')
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join('/')}`)
  const place = fc.oneof(
    path,
    path.map((text) => `https://else.example${text}?a=1`),
  )
  const options = fc.record({
    statusCode: fc.constantFrom(301 as const, 302 as const, 307 as const, 308 as const),
    isActive: fc.boolean(),
    description: fc.option(
      fc.stringMatching(/^[=a-z:'"#\\][a-z :;{}'"#\\=]{0,12}$/).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
      { nil: undefined },
    ),
    query: fc.constantFrom('pass' as const, 'ignore' as const),
    ignoresSlash: fc.boolean(),
    ignoresCase: fc.boolean(),
  })
  const exact = fc.tuple(path, place, options).map(([fromPath, toPath, rest]) => rule({ ...rest, fromPath, toPath }))
  const wildcard = fc
    .tuple(path, place, fc.boolean(), options)
    .map(([from, to, hands, rest]) =>
      rule({ ...rest, kind: 'wildcard', fromPath: `${from}/*`, toPath: hands ? `${to.replace('?a=1', '')}/*` : to }),
    )
  const pattern = fc
    .tuple(fc.stringMatching(/^[a-z]{1,5}$/), options)
    .map(([word, rest]) => rule({ ...rest, kind: 'pattern', fromPath: String.raw`/${word}/(\d{2,4})-(?:a|b)`, toPath: `/${word}/$1` }))
  const rules = fc.array(fc.oneof(exact, wildcard, pattern), { maxLength: 8 })

  test.each(['csv', 'json'] as const)('%s says everything', (format) => {
    fc.assert(
      fc.property(rules, (given) => {
        const { text, left } = writeRules(given, format)
        expect(left).toEqual([])
        expect(readRuleFile(text, format, HERE).map(({ rule, refused }) => rule ?? refused)).toEqual(
          given.map((one) => ({ ...one, description: one.description ?? (format === 'json' ? undefined : undefined) })),
        )
        expect(detectFormat(text)).toBe(format)
      }),
    )
  })

  test.each(['apache', 'nginx'] as const)('%s says all but what it names', (format) => {
    fc.assert(
      fc.property(rules, (given) => {
        const { text, left } = writeRules(given, format)
        const said = given.filter((one) => !left.some(({ rule }) => rule === one))
        const same = (one: RedirectBody) => ({ ...one, toPath: writeAddress(one.toPath) })
        expect(readRuleFile(text, format, HERE).map(({ rule, refused }) => (rule ? same(rule) : refused))).toEqual(said.map(same))
        for (const { reason } of left) expect(text).toContain(reason)
      }),
    )
    const containedQuery = rule({ fromPath: '/a?x=1', query: 'contains' })
    expect(writeRules([containedQuery], format).left).toEqual([{ rule: containedQuery, reason: 'its query is part of what must match' }])
    const exactQuery = rule({ fromPath: '/a?x=1', query: 'exact' })
    expect(writeRules([exactQuery], format).left).toEqual([{ rule: exactQuery, reason: 'its query is part of what must match' }])
  })
})
