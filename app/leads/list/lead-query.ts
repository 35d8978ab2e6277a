import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'
import { listedConsultation, listedContact } from '#app/leads/lead/lead.ts'

/** The page size without parameters. */
export const LEAD_LIST_MAX = 1_000
/** The default page size of a paged list. */
export const LEAD_PAGE_SIZE = 50
const PAGE_MAX = 200

export const contactColumns = ['createdAt', 'name', 'email', 'company', 'serviceType'] as const
const consultationColumns = ['createdAt', 'name', 'email', 'company'] as const

/** A column to sort by, or one after a hyphen for descending order. */
export type LeadSort<Column extends string> = Column | `-${Column}`

/** `waiting`: staff have not replied yet. `unproposed`: a proposal is due. `consultation`: a call was agreed. */
export const contactFilters = ['waiting', 'unproposed', 'answered', 'consultation'] as const

export type ContactFilter = (typeof contactFilters)[number]

const sortBy = <const Column extends string>(columns: readonly Column[]) =>
  z.enum(
    columns.flatMap((column): LeadSort<Column>[] => [column, `-${column}`]),
    'Unknown sort order.',
  )

const printable = z.regex(/^\P{Cc}*$/u, 'Use visible characters only.')

const searchTerms = z._default(
  z.string('Search for one text.').check(z.trim(), ...atMost(200, 'Search for at most 200 characters.'), printable),
  '',
)

const paging = {
  q: searchTerms,
  cursor: z.optional(z.string('There is no such page.').check(z.maxLength(4_000, 'There is no such page.'))),
  limit: z._default(
    z.coerce
      .number(`A page has 1 to ${PAGE_MAX} rows.`)
      .check(
        z.int(`A page has 1 to ${PAGE_MAX} rows.`),
        z.minimum(1, `A page has 1 to ${PAGE_MAX} rows.`),
        z.maximum(PAGE_MAX, `A page has 1 to ${PAGE_MAX} rows.`),
      ),
    LEAD_PAGE_SIZE,
  ),
}

/** The filters of lists and exports. */
const contactChoice = {
  filter: z.optional(z.enum(contactFilters, 'Unknown filter.')),
  service: z.optional(z.string('Choose one service type.').check(z.maxLength(200, 'Unknown service type.'), printable)),
}

export const contactQuery = z.object({ ...paging, ...contactChoice, sort: z._default(sortBy(contactColumns), '-createdAt') })
export const consultationQuery = z.object({ ...paging, sort: z._default(sortBy(consultationColumns), '-createdAt') })

export type ContactQuery = z.infer<typeof contactQuery>
export type ConsultationQuery = z.infer<typeof consultationQuery>

/** One page of a list. Above some thousand rows the matches are estimated: see `isTotalExact`. */
const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({
    items: z.array(item),
    previousCursor: z.nullable(z.string()),
    nextCursor: z.nullable(z.string()),
    total: z.number(),
    isTotalExact: z.boolean(),
  })

export type LeadPage<Item> = {
  items: Item[]
  previousCursor: string | null
  nextCursor: string | null
  total: number
  isTotalExact: boolean
}

export const contactPage = pageOf(listedContact)
export const consultationPage = pageOf(listedConsultation)

export const contactList = z.union([z.array(listedContact), contactPage])
export const consultationList = z.union([z.array(listedConsultation), consultationPage])
