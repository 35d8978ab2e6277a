import type { FilterOperator } from '#app/datasets/catalog/column.ts'

const operators: Record<FilterOperator, string> = {
  eq: 'is the value; the same without an operator',
  ne: 'is another value',
  gt: 'is greater',
  gte: 'is greater, or the value itself',
  lt: 'is less',
  lte: 'is less, or the value itself',
  in: 'is one of several values, with commas between them',
  contains: 'is a text that has the value in it',
  starts: 'is a text that begins with the value',
  null: '`true`: has no value; `false`: has one',
}

/** Texts of the reference that the description of the endpoints does not have. */
export const referenceWords = {
  title: 'Data API for developers',
  introduction:
    'Read datasets by HTTP: rows by filter and page, schemas, versions and what changed between them. One key opens what you may have.',
  choose: 'Examples are written for',
  start: {
    title: 'Getting started',
    steps: [
      'Have access: free datasets need an account with a confirmed address; others are granted to you once they are paid for.',
      'Create API key at [your keys](/account/keys). It is shown once.',
      'Put it into an environment variable and send it with each request, as below.',
    ],
  },
  key: {
    title: 'Your key',
    text: 'The key goes into the header `Authorization: Bearer ...`. Every example takes it from an environment variable: set it once, and the examples run as they stand.',
    care: 'A key is a password: keep it out of pages, apps and repositories. Put another in its place at any time; both work for a while, so that nothing has to stop.',
  },
  copy: { button: 'Copy', done: 'Copied', failed: 'Not copied' },
  files: {
    title: 'Download whole files',
    text: 'A dataset that is offered as a file has an address for download managers. It takes `Range`, so run the same command again to resume after a cut. The `ETag` is the SHA-256 of the file.',
  },
  answer: 'An answer looks like this:',
  filters: {
    title: 'Filters and sorting',
    text: 'A condition is a parameter that is called like a column: `column[gte]=5`, and all conditions have to hold. `select=a,b` names the columns to be sent, `sort=-price` sorts by one of them, downwards with the minus.',
    operators,
  },
  sections: [
    {
      title: 'Paging',
      text: [
        'An answer has at most `limit` rows: 100 unless you say otherwise, 10,000 at most. Send `nextCursor` of an answer as `cursor` of the next request, with the same parameters, until it is null.',
        'A cursor belongs to the version that you began with: you read that one to its end, also when another one is published meanwhile.',
      ],
    },
    {
      title: 'Versions and changes',
      text: [
        'Each publication of a dataset is a version with a number. Without `version` you get the current one; with it the same rows every time.',
        '`/changes?since=3` has the rows that were added or removed between version 3 and the current one. A row that changed is one removed and one added.',
      ],
    },
    {
      title: 'Quotas',
      text: [
        'Each key has a number of requests per month (UTC). `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` (seconds) say where you stand; past the end the answer is 429 with `Retry-After`. Requests that are refused are not counted.',
      ],
    },
  ],
  formats: {
    title: 'Formats',
    text: 'Rows come as JSON unless `Accept` asks for another: `application/x-ndjson` (JSON Lines), `text/csv` or `application/vnd.apache.parquet`. Whole numbers beyond 2^53 and decimals are text in JSON, so that no digit is lost; times are ISO 8601. CSV is safe to open in a spreadsheet: texts that begin with `=`, `+`, `-`, `@`, a tab or a line break carry a leading apostrophe, except phone numbers. With `raw=1` values are unchanged, for programs. The header `CSV-Note` says which one you have.',
  },
  errors: {
    title: 'Errors',
    text: 'Every error is `application/problem+json` with `status`, `title`, `detail` (a sentence for people), where it helps a `code`, and `errors` by parameter.',
  },
  more: {
    title: 'More',
    text: 'Everything here, and every other endpoint of the product, is described in',
    sql: 'Datasets can be asked in SQL too:',
  },
} as const

/** For parameters whose names are not enough. */
export const parameterWords: Record<string, string> = {
  slug: 'The dataset, as in the address of its page',
  version: 'The number of a version; the current one unless it is said',
  since: 'The version to compare with',
  limit: 'Rows of a page, 1 to 10,000; 100 unless it is said',
  cursor: '`nextCursor` of the page before',
  select: 'Names of columns with commas between them; all of them unless it is said',
  sort: 'A column; downwards with a minus before it',
  format: 'Instead of `Accept`',
  raw: '`1`: CSV with every value unchanged, for programs',
}

/** Each error code of the Data API, with its remedy. */
export const errorRows: readonly (readonly [status: number, code: string, why: string])[] = [
  [401, '', 'There is no key with the request.'],
  [401, 'invalid_key', 'There is no such key: a character of it is wrong or missing.'],
  [401, 'key_revoked', 'The key was revoked. Make another one.'],
  [401, 'key_expired', 'The key has expired. Make another one.'],
  [401, 'key_owner_gone', 'The account that the key belongs to is closed.'],
  [402, 'payment_required', 'The dataset has to be paid for. `checkoutUrl` leads to where access is requested.'],
  [403, 'email_not_confirmed', 'The address of the account is not confirmed. Follow the link in the email that we sent.'],
  [403, 'key_scope', 'The key is for other datasets. Make one for this, or for all.'],
  [403, 'link_of_another', 'The link was made for another account. Start the download with your own.'],
  [403, 'no_api', 'This dataset comes as a file alone.'],
  [404, 'unknown_dataset', 'There is no such dataset.'],
  [404, 'unknown_version', 'There is no such version of it.'],
  [406, 'not_acceptable', 'No format of ours suits `Accept`.'],
  [409, 'not_offered', 'This dataset is not offered as a file.'],
  [409, 'not_published', 'The dataset has no published version yet.'],
  [416, '', 'The part that `Range` asks for begins behind the end of the file.'],
  [422, 'validation_failed', 'A parameter is not understood: `errors` says which one, and why.'],
  [429, 'quota_used_up', 'The quota of the month is used up. `Retry-After` says when the next one begins.'],
  [429, 'too_many_requests', 'Requests come too fast. Wait for as many seconds as `Retry-After` says.'],
  [503, 'being_made', 'Preparing your file for the first time. Try again after `Retry-After`.'],
  [503, '', 'Too much is asked just now. Try again after `Retry-After`.'],
  [504, '', 'It took too long. Ask for less: fewer rows or columns, or another filter.'],
]
