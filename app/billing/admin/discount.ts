import { z } from 'zod/mini'
import { uuid } from '#app/platform/text/uuid.ts'
import { isoDay } from '#app/platform/time/iso-moment.ts'
import { currencies, isCurrency } from '#app/platform/text/written-form.ts'
import { paging, searchText } from '#app/ui/admin/paging.ts'
import { BILLING } from './desk.ts'

export const DISCOUNTS = `${BILLING}/discounts`

/** `ended` codes have expired, or were used as often as they can be. */
const discountStates = ['usable', 'ended', 'archived'] as const

export const discountQuery = z.extend(
  z.object({
    q: searchText('Search for one text of at most 200 characters.'),
    state: z._default(z.enum(discountStates, 'The state is usable, ended or archived.'), 'usable'),
    sort: z.optional(
      z.enum(['created', '-created', 'code', '-code'], 'The order is by created or code, with a - in front for the last first.'),
    ),
  }),
  paging,
)

export const listedDiscount = z.object({
  id: z.string(),
  code: z.string(),
  /** Of 10,000: 1250 is 12.5%. Null for one that takes off an amount. */
  share: z.nullable(z.number()),
  /** In the smallest unit of its currency. */
  amount: z.nullable(z.number()),
  currency: z.nullable(z.string()),
  /** Null: for all datasets. */
  product: z.nullable(z.string()),
  uses: z.number(),
  mostUses: z.nullable(z.number()),
  /** In the time zone of the business. */
  lastDay: z.nullable(z.string()),
  state: z.enum(discountStates),
  createdAt: z.string(),
})
export type ListedDiscount = z.infer<typeof listedDiscount>
export const discountPage = z.object({ discounts: z.array(listedDiscount), nextCursor: z.nullable(z.string()) })

const CODE = 'Enter 3 to 30 letters, digits and hyphens'
const PERCENT = 'Enter a percentage from 0.01 to 100'
const AMOUNT = 'Enter an amount above zero'
const DAY = 'Enter a day, or leave this empty'
const USES = 'Enter a whole number from 1, or leave this empty'

/** Takes off either a share or an amount. */
export const discountBody = z
  .object({
    code: z.string(CODE).check(
      z.overwrite((text) => text.trim().toUpperCase()),
      z.regex(/^[A-Z\d][A-Z\d-]{2,29}$/, CODE),
    ),
    share: z.nullable(z.int(PERCENT).check(z.minimum(1, PERCENT), z.maximum(10_000, PERCENT))),
    amount: z.nullable(z.int(AMOUNT).check(z.positive(AMOUNT), z.maximum(10 ** 12, 'The amount is too large'))),
    currency: z.nullable(z.enum(Object.keys(currencies).filter(isCurrency), 'Choose a currency from the list')),
    productId: z.nullable(uuid('Choose a dataset from the list')),
    mostUses: z.nullable(z.int(USES).check(z.minimum(1, USES), z.maximum(1_000_000, 'At most 1,000,000 uses'))),
    lastDay: z.nullable(isoDay(DAY)),
  })
  .check(
    z.refine(({ share, amount }) => (share === null) !== (amount === null), { error: 'Enter a percentage or an amount', path: ['share'] }),
    z.refine(({ amount, currency }) => (amount === null) === (currency === null), {
      error: 'An amount has a currency, and a percentage has none',
      path: ['currency'],
    }),
  )
export type DiscountBody = z.infer<typeof discountBody>

export const archiveBody = z.object({ archived: z.boolean('This must be true or false') })
