import { z } from 'zod/mini'
import { exportFormat } from '#app/platform/tables/export-format.ts'
import { atMost, oneLine } from '#app/platform/text/clean-text.ts'
import { isoDay } from '#app/platform/time/iso-moment.ts'
import { anyUuid, leadTag, printable, searched, UUID_TEXT } from './fact-value.ts'
import { factFilters, factOf, type LeadFactName, leadFactNames, leadFacts, staffFacts, storedOf } from './lead-facts.ts'
import { chosenStage, leadStage } from './stage.ts'

export const LEADS_URL = '/api/leads'
export const leadUrl = (reference: string) => `${LEADS_URL}/${encodeURIComponent(reference)}`
export const LEAD_VIEWS = '/api/lead-views'
export const LEAD_COLUMNS = '/api/leads/columns'
export const LEAD_BULK = '/api/leads/bulk'

/** The work of staff on an enquiry. Money in cents, times in ISO 8601. */
export const leadWork = { ...storedOf(staffFacts), stageSince: z.string() }

/** A lead in the table and on the board, with the beginning of its message. */
const deskLead = z.object({
  id: z.string(),
  reference: z.string(),
  ...storedOf(leadFacts),
  stageSince: z.string(),
  answeredAt: z.nullable(z.string()),
  withdrawnAt: z.nullable(z.string()),
  promisedFrom: z.string(),
  createdAt: z.string(),
})

export type DeskLead = z.infer<typeof deskLead>

export type DeskColumn = { key: string; label: string; name?: LeadFactName; width?: string; sort?: string }

const factColumns = leadFactNames.flatMap((name) => {
  const { label, column = {} } = factOf(name)
  return column ? [{ name, label, key: name, ...column }] : []
})

/** The columns of the list that people choose from: their facts, if they show one, and the names of their orders. */
export const deskColumns: readonly DeskColumn[] = [
  ...factColumns,
  { key: 'stageSince', label: 'In stage since', width: '8rem', sort: 'stageSince' },
  { key: 'answered', label: 'Answered', width: '8rem' },
  { key: 'created', label: 'Received', width: '7rem', sort: 'created' },
]

export const deskSorts = ['name', ...deskColumns.flatMap(({ sort }) => sort ?? [])]

/** Filters of the next step's due time. */
export const nextStepFilters = { overdue: 'Overdue', today: 'Due today', week: 'Due within 7 days', none: 'Without a next step' } as const

const day = (sentence: string) => z.optional(isoDay(sentence))
const STAGES = 'Choose stages of the pipeline.'
const AMOUNT = 'A value is a number, 0 or more.'
const amount = z.optional(z.coerce.number(AMOUNT).check(z.minimum(0, AMOUNT), z.maximum(1e10, AMOUNT)))

/** Every filter of the desk, as it is in the address. Texts match a part, in any case. Values are in whole units of money. */
export const deskFilter = z.object({
  q: z._default(z.string('Search for one text.').check(z.trim(), ...atMost(200, 'Search for at most 200 characters.'), printable), ''),
  /** Ids, with commas between them. */
  stage: z.optional(z.string(STAGES).check(z.maxLength(200, STAGES), z.regex(/^\d{1,9}(,\d{1,9})*$/, STAGES))),
  owner: z.optional(z.union([z.literal('me'), z.literal('none'), anyUuid('Choose one owner.')], 'Choose one owner.')),
  ...factFilters,
  form: z.optional(z.enum(['home', 'contact', 'landing', 'hire', 'import', 'staff'], 'Unknown form.')),
  tag: searched('Filter by one tag.'),
  reason: searched('Filter by one reason.'),
  starred: z.optional(z.literal('yes', 'starred is yes.')),
  answered: z.optional(z.enum(['yes', 'no'], 'answered is yes or no.')),
  next: z.optional(z.enum(['overdue', 'today', 'week', 'none'], 'Unknown filter of the next step.')),
  from: day('Give the first day as YYYY-MM-DD.'),
  until: day('Give the last day as YYYY-MM-DD.'),
  least: amount,
  most: amount,
})

export type DeskFilter = z.infer<typeof deskFilter>

/** The names of the filters in the address, for saved views and API calls. */
export const deskFilterKeys: readonly string[] = z.keyof(deskFilter).options

const CURSOR = 'There is no such page.'
const ROWS = 'A page has 1 to 200 rows.'

export const deskQuery = z.extend(deskFilter, {
  sort: z._default(
    z.enum(
      deskSorts.flatMap((column) => [column, `-${column}`]),
      'Unknown sort order.',
    ),
    '-created',
  ),
  cursor: z.optional(z.string(CURSOR).check(z.maxLength(4000, CURSOR))),
  limit: z._default(z.coerce.number(ROWS).check(z.int(ROWS), z.minimum(1, ROWS), z.maximum(200, ROWS)), 50),
})

export type DeskQuery = z.infer<typeof deskQuery>

const IDS = 'Choose 1 to 200 leads.'

/** An export takes all matches, or only those of them with these ids, with commas between them. */
export const deskExportQuery = z.extend(z.omit(deskQuery, { cursor: true, limit: true }), {
  ids: z.optional(z.string(IDS).check(z.maxLength(200 * 37, IDS), z.regex(new RegExp(`^${UUID_TEXT}(,${UUID_TEXT})*$`, 'i'), IDS))),
  format: exportFormat,
})

export type DeskExportQuery = z.infer<typeof deskExportQuery>

export const deskPage = z.object({
  leads: z.array(deskLead),
  previousCursor: z.nullable(z.string()),
  nextCursor: z.nullable(z.string()),
})

/** The matches by stage, with their values. An estimate when a search matches too many to count quickly. */
export const deskCounts = z.object({
  total: z.number(),
  isExact: z.boolean(),
  stages: z.array(z.object({ id: z.number(), count: z.number(), valueCents: z.number() })),
})

export type DeskCounts = z.infer<typeof deskCounts>

/** The first leads of each stage, latest in it first. */
export const deskBoard = z.object({
  stages: z.array(z.object({ id: z.number(), leads: z.array(deskLead), hasMore: z.boolean() })),
})

export type DeskBoard = z.infer<typeof deskBoard>

/** The leads of a stage on the board, and of each further load. */
export const BOARD_SIZE = 50

/** The stages, the reasons for lost leads, and the accounts that can own a lead: every page of the desk needs them. */
export const leadPipeline = z.object({
  stages: z.array(leadStage),
  lostReasons: z.array(z.string()),
  owners: z.array(z.object({ id: z.string(), name: z.string() })),
})

export type LeadPipeline = z.infer<typeof leadPipeline>

/** While it loads. */
export const emptyPipeline: LeadPipeline = { stages: [], lostReasons: [], owners: [] }

const owner = z.nullable(anyUuid('Choose an owner.'))

/** The most leads that one bulk change takes. */
export const BULK_MOST = 10_000

const someIds = z
  .array(anyUuid('Unknown lead.'))
  .check(z.minLength(1, 'Choose at least one lead.'), z.maxLength(BULK_MOST, 'Choose fewer leads.'))

/**
 * Leads by id, or all that match a filter. An unknown filter is refused: without it, all leads would match. `count` is the number of matches that the
 * person saw; if another number matches by now, nothing is changed.
 */
const bulkChoice = z.union(
  [
    z.strictObject({ ids: someIds }),
    z.strictObject({ filter: z.strictObject(deskFilter.shape), count: z.optional(z.int('The number of matches is a whole number.')) }),
  ],
  'Choose leads by ids or by a filter.',
)

export type BulkChoice = z.infer<typeof bulkChoice>

/** Why a lead was lost. */
export const lostReason = z
  .string('The reason must be a text.')
  .check(z.overwrite(oneLine), ...atMost(200, 'The reason must be at most 200 characters.'))

/** `from` is the value that the person saw. If a chosen lead has another one by now, nothing is changed. */
const bulkChange = z.discriminatedUnion('change', [
  z.object({ change: z.literal('stage'), stageId: chosenStage, from: z.optional(chosenStage), reason: z.optional(lostReason) }),
  z.object({ change: z.literal('owner'), ownerId: owner, from: z.optional(owner) }),
  z.object({ change: z.literal('tag'), tag: leadTag }),
  z.object({ change: z.literal('untag'), tag: leadTag }),
  z.object({ change: z.literal('delete') }),
])

export type BulkChange = z.infer<typeof bulkChange>

export const bulkBody = z.object({ choice: bulkChoice, change: bulkChange })

/** The number of leads that changed; the others already were like that, or are gone. `id` is for the undo. */
export const bulkResult = z.object({ id: z.string(), changed: z.number() })

/** The leads that an undo has returned, and those that had changed since. */
export const undoneBatch = z.object({ restored: z.number(), left: z.number() })

/** A saved view: filters, order and layout as parameters of the address. */
export const leadView = z.object({ id: z.string(), name: z.string(), query: z.string(), isShared: z.boolean(), isOwn: z.boolean() })

export type LeadView = z.infer<typeof leadView>

const VIEW = 'A view has a name of 1 to 60 characters.'

export const leadViewBody = z.object({
  name: z.string(VIEW).check(z.trim(), z.minLength(1, VIEW), ...atMost(60, VIEW), printable),
  query: z
    .string('A view has a search or a filter.')
    .check(z.maxLength(2000, 'This view has too many filters.'), z.regex(/^[\w%.+~*&=,-]*$/, 'Unknown filter.')),
  isShared: z.boolean('Say whether the view is shared.'),
})

export type LeadViewBody = z.infer<typeof leadViewBody>

const leadColumnKeys = deskColumns.map(({ key }) => key)

/** The columns of someone who has chosen none. */
export const defaultLeadColumns: readonly string[] = ['stage', 'owner', 'value', 'nextStep', 'company', 'service', 'created']

/** The chosen columns, in their order. */
export const leadColumns = z.object({
  columns: z.array(z.enum(leadColumnKeys, 'Unknown column.')).check(z.maxLength(leadColumnKeys.length, 'Each column is shown once.')),
})
