import { z } from 'zod/mini'
import { listedConsultation, listedContact } from './lead.ts'

/** The most that a list answers when it is asked without parameters. */
export const LIST_MAX = 1_000
/** Rows of one page, unless it is asked for another number. */
export const PAGE_SIZE = 50
const PAGE_MAX = 200

export const contactColumns = ['createdAt', 'name', 'email', 'company', 'serviceType'] as const
export const consultationColumns = ['createdAt', 'name', 'email', 'company'] as const

/** A column by which a list can be ordered, or one after a hyphen for the other direction. */
export type Sort<Column extends string> = Column | `-${Column}`

/** `waiting`: no person of ours has answered yet. `unproposed`: a proposal is owed. `consultation`: a call was agreed. */
export const contactFilters = ['waiting', 'unproposed', 'answered', 'consultation'] as const

export type ContactFilter = (typeof contactFilters)[number]

const sortBy = <const Column extends string>(columns: readonly Column[]) =>
  z.enum(
    columns.flatMap((column): Sort<Column>[] => [column, `-${column}`]),
    'There is no such order.',
  )

const printable = z.regex(/^\P{Cc}*$/u, 'Use letters, digits and signs.')

const searchTerms = z._default(
  z.string('Search for one text.').check(z.trim(), z.maxLength(200, 'Search for at most 200 characters.'), printable),
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
    PAGE_SIZE,
  ),
}

/** What decides which leads are meant: for lists and for exports. */
const contactChoice = {
  filter: z.optional(z.enum(contactFilters, 'There is no such filter.')),
  service: z.optional(z.string('Choose one service type.').check(z.maxLength(200, 'There is no such service type.'), printable)),
}

export const contactQuery = z.object({ ...paging, ...contactChoice, sort: z._default(sortBy(contactColumns), '-createdAt') })
export const consultationQuery = z.object({ ...paging, sort: z._default(sortBy(consultationColumns), '-createdAt') })

export type ContactQuery = z.infer<typeof contactQuery>
export type ConsultationQuery = z.infer<typeof consultationQuery>

/** One page of a list. Above some thousand rows a search is counted roughly: `isTotalExact` says which it is. */
const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({
    items: z.array(item),
    previousCursor: z.nullable(z.string()),
    nextCursor: z.nullable(z.string()),
    total: z.number(),
    isTotalExact: z.boolean(),
  })

export type Page<Item> = { items: Item[]; previousCursor: string | null; nextCursor: string | null; total: number; isTotalExact: boolean }

export const contactList = z.union([z.array(listedContact), pageOf(listedContact)])
export const consultationList = z.union([z.array(listedConsultation), pageOf(listedConsultation)])
