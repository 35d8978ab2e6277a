import { DATASETS, pageLimits } from '#app/data-api/v1/dataset.ts'
import type { FilterOperator } from '#app/datasets/catalog/column.ts'
import { numberText } from '#app/platform/text/english-number.ts'

const operators: Record<FilterOperator, string> = {
  eq: 'equals the value; the default without an operator',
  ne: 'does not equal the value',
  gt: 'is greater than the value',
  gte: 'is greater than or equal to the value',
  lt: 'is less than the value',
  lte: 'is less than or equal to the value',
  in: 'is one of several comma-separated values',
  contains: 'is text that contains the value',
  starts: 'is text that starts with the value',
  null: '`true`: is empty; `false`: has a value',
}

/** Texts of the reference that the description of the endpoints does not have. */
export const referenceWords = {
  title: 'Data API for developers',
  introduction: 'Read datasets over HTTP: filtered rows, schemas, versions and their changes. One key, all your datasets.',
  navigation: 'Developers',
  choose: { label: 'Examples for', send: 'Show' },
  start: {
    title: 'Getting started',
    steps: [
      'Get access. Free datasets need a verified account; paid ones unlock after purchase.',
      'Create an API key at [your keys](/account/keys). It is shown only once.',
      'Store it in an environment variable and send it with each request, as shown below.',
    ],
  },
  key: {
    title: 'Your key',
    text: 'Send the key in the header `Authorization: Bearer ...`. The examples read it from an environment variable. Set that once, and the examples run unchanged.',
    care: 'Treat a key like a password: keep it out of web pages, apps and repositories. You can rotate it at any time. The old key keeps working for a while, so your programs do not stop.',
  },
  first: { title: 'First request', text: 'The first rows of {name}:' },
  index: { title: 'Endpoints', caption: 'Endpoints of the Data API', endpoint: 'Endpoint', returns: 'Returns', page: 'Page size' },
  copy: { button: 'Copy', done: 'Copied', failed: 'Not copied' },
  languages: 'Language',
  answer: 'Response',
  parameters: 'Parameters',
  page: 'Page size',
  attempt: {
    title: 'Try it',
    key: 'API key',
    keyHint: 'Stays in this tab and is sent only to this site.',
    send: 'Send request',
    sending: 'Sending…',
    noKey: 'Enter an API key, or sign in.',
    failed: 'No response. Check your connection and try again.',
    file: 'The body is a file, which is not shown here.',
    cut: 'Only the beginning is shown.',
    noScript: 'This needs JavaScript. The code above does the same.',
  },
  files: {
    title: 'Whole files',
    text: 'Each dataset with a file download has a permanent URL for download managers. It supports `Range`, so you can run the same command again to resume an interrupted download. The `ETag` is the SHA-256 of the file.',
  },
  filters: {
    title: 'Filters and sorting',
    text: 'Filter with the name of a column as the parameter: `column[gte]=5`. Rows must match all filters. `select=a,b` selects columns. `sort=price` sorts by one column, `sort=-price` in descending order.',
    operators,
  },
  sections: [
    {
      title: 'Paging',
      text: [
        'A page has at most `limit` rows: 100 by default, 10,000 at most. Send `nextCursor` of a response as `cursor` of the next request, with the same parameters, until it is null.',
        'A cursor belongs to one version. You can read that version to its end, even if a newer one is published meanwhile.',
      ],
    },
    {
      title: 'Versions and changes',
      text: [
        'Each publication of a dataset is a numbered version. Without `version`, you get the current one. With it, you get the same rows every time.',
        '`/changes?since=3` returns the rows added or removed between version 3 and the current one. A changed row is one removed and one added.',
      ],
    },
    {
      title: 'Quotas',
      text: [
        'Each key has a number of requests per month (UTC). `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` (seconds) show the remaining quota. Above the quota, requests return 429 with `Retry-After`. Refused requests do not count.',
      ],
    },
  ],
  formats: {
    title: 'Formats',
    text: 'Rows are JSON by default. `Accept` can request another format: `application/x-ndjson` (JSON Lines), `text/csv` or `application/vnd.apache.parquet`. Integers beyond 2^53 and decimals are strings in JSON, so no digit is lost. Times are ISO 8601. CSV is safe to open in a spreadsheet: text that begins with `=`, `+`, `-`, `@`, a tab or a line break gets a leading apostrophe, except phone numbers. With `raw=1`, values are unchanged, for programs. The header `CSV-Note` names the variant.',
  },
  errors: {
    title: 'Errors',
    text: 'Every error is `application/problem+json` with `status`, `title`, `detail` (a sentence for people), often a `code`, and `errors` by parameter.',
  },
  more: {
    text: 'All endpoints of the product are described in',
    sql: 'You can also query datasets with SQL:',
  },
} as const

/** The pages of the documentation, in the order of its navigation. */
export const docsPages = [
  { to: '/developers', label: 'Getting started' },
  { to: '/developers/endpoints', label: 'Endpoints' },
  { to: '/developers/guide', label: 'Filters, paging, formats' },
  { to: '/developers/errors', label: 'Errors' },
  { to: '/developers/changelog', label: 'Changelog' },
] as const

const rows = `${pageLimits.usual} rows by default, ${numberText(pageLimits.most)} at most (\`limit\`)`

/** How much a response holds, by path. */
export const pageSizes: Readonly<Record<string, string>> = {
  [DATASETS]: 'All datasets in one response, 1,000 at most',
  [`${DATASETS}/{slug}`]: 'One dataset, with its last 100 versions',
  [`${DATASETS}/{slug}/schema`]: 'One schema, with all columns',
  [`${DATASETS}/{slug}/rows`]: rows,
  [`${DATASETS}/{slug}/changes`]: rows.replace('rows', 'changes'),
  [`${DATASETS}/{slug}/download`]: 'The whole file, or the bytes of `Range`',
}

/** The changes of the Data API that a program can notice, newest first. */
export const changelog: readonly { day: string; changes: readonly string[] }[] = [
  {
    day: '2026-11-25',
    changes: ['`POST /api/data-products/{id}/download` with `downloadType` `api` returns this documentation as `downloadUrl`.'],
  },
  {
    day: '2026-11-24',
    changes: ['The sentences in `detail` of errors are shorter. Every `code` is unchanged.', 'Uploads of staff use the tus protocol.'],
  },
  {
    day: '2026-11-23',
    changes: [
      'CSV is safe to open in a spreadsheet. `raw=1` returns unchanged values, and the header `CSV-Note` names the variant.',
      'Download links and `/download` accept an API key, with `Range`, `If-Range` and `ETag`.',
      '`openapi.json` declares every response with its body, so generated clients need no changes by hand.',
      'Requests of several people take turns, so one large query does not delay the others.',
    ],
  },
  {
    day: '2026-11-22',
    changes: [
      'First version: the list of datasets, their description, JSON Schema, rows as JSON, JSON Lines, CSV and Parquet, and changes between versions.',
      'API keys with a scope, an expiry date, rotation and a monthly quota.',
    ],
  },
]

/** For parameters whose names are not enough. */
export const parameterWords: Record<string, string> = {
  slug: 'The slug of the dataset, as in its URL',
  version: 'A version number; the current version by default',
  since: 'The version to compare with',
  limit: 'Rows per page, 1 to 10,000; 100 by default',
  cursor: '`nextCursor` of the previous page',
  select: 'Comma-separated column names; all columns by default',
  sort: 'A column; in descending order with a leading minus',
  format: 'Instead of `Accept`',
  raw: '`1`: CSV with every value unchanged, for programs',
}

/** Each error code of the Data API, with its remedy. */
export const errorRows: readonly (readonly [status: number, code: string, why: string])[] = [
  [401, '', 'The request has no API key.'],
  [401, 'invalid_key', 'Invalid API key.'],
  [401, 'key_revoked', 'The key was revoked. Create a new one.'],
  [401, 'key_expired', 'The key has expired. Create a new one.'],
  [401, 'key_owner_gone', 'The account of the key is closed.'],
  [402, 'payment_required', 'The dataset is paid. Buy it, or request access, at `checkoutUrl`.'],
  [403, 'email_not_confirmed', 'The email address of the account is not confirmed. Follow the link in the email that we sent.'],
  [403, 'not_a_member', 'You are not a member of the organization of this download or request. Choose another one.'],
  [403, 'organization_role', 'Your role in the organization sees this, but takes nothing along. Ask an admin for another role.'],
  [403, 'organization_suspended', 'The organization is suspended. Contact us.'],
  [403, 'key_scope', 'The key is limited to other datasets. Create one for this dataset, or for all.'],
  [403, 'link_of_another', 'The link belongs to another account. Start the download with yours.'],
  [403, 'no_api', 'The dataset is available only as a file.'],
  [404, 'unknown_dataset', 'There is no such dataset.'],
  [404, 'unknown_version', 'There is no such version of it.'],
  [406, 'not_acceptable', '`Accept` names no available format.'],
  [409, 'not_offered', 'This dataset is not available as a file.'],
  [409, 'not_published', 'The dataset has no published version yet.'],
  [416, '', 'The requested `Range` starts after the end of the file.'],
  [422, 'validation_failed', 'A parameter is invalid. `errors` names it and explains why.'],
  [429, 'quota_used_up', 'The monthly quota is used up. `Retry-After` has the seconds until it resets.'],
  [429, 'too_many_requests', 'Too many requests. Wait for the seconds in `Retry-After`.'],
  [503, 'being_made', 'The file is being prepared for the first download. Try again after `Retry-After`.'],
  [503, '', 'The server is busy. Try again after `Retry-After`.'],
  [504, '', 'The request took too long. Request fewer rows or columns, or another filter.'],
]
