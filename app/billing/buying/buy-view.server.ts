import { countryNames } from '#app/content/country.ts'
import { catalogWords } from '#app/content/datasets.ts'
import { dataLicence } from '#app/content/data-licence.ts'
import { accessTo } from '#app/datasets/catalog/access.server.ts'
import { chargedWords, includesWords, type Offer } from '#app/datasets/catalog/offer.ts'
import { findBuyPath, listOffers } from '#app/datasets/catalog/offer.server.ts'
import { servedTo } from '#app/datasets/catalog/served-version.server.ts'
import { findCatalogEntry, type CatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { mayIn } from '#app/organizations/organization/organization.ts'
import type { Member } from '#app/organizations/organization/membership.server.ts'
import { providerFor } from '#app/billing/payments/providers.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { immediateSupply } from '#app/content/withdrawal.ts'
import { env } from '#app/platform/env.server.ts'
import { Stop, stop } from '#app/platform/errors/stop.ts'
import { percentText } from '#app/platform/text/english-number.ts'
import { moneyText } from '#app/platform/text/money.ts'
import type { ProviderTax } from '#app/billing/orders/order.ts'
import { withProviderTax } from '#app/billing/orders/totals.ts'
import type { Row } from '#db/tables.ts'
import { findBuyer, lackingFacts, offersChoice } from './buy.server.ts'
import { type Quote, quoteOf } from './quote.server.ts'

export async function findSold(slug: string): Promise<CatalogEntry> {
  return (await findCatalogEntry(slug)) ?? stop('notFound', 'There is no such dataset.')
}

/** Why a person cannot buy here now, with a way on. Undefined for those who can. */
export async function findHindrance(found: CatalogEntry, person: Member): Promise<{ text: string; to: string; label: string } | undefined> {
  const { product } = found
  const page = `/data-marketplace/${product.slug}`
  const { organization } = person
  // Such as in the first moments of a new installation, while its samples are imported.
  if (product.currentVersionId === null)
    return { text: 'This dataset has no data yet. Please try again in a few minutes.', to: page, label: 'Open the dataset' }
  if (!findBuyPath(product))
    return {
      text: 'This dataset is not sold online. You can request access to it.',
      to: `${page}#request-access`,
      label: catalogWords.requestAccess,
    }
  const access = await accessTo(product, person)
  if (person.role !== 'customer')
    return { text: 'Staff have every dataset and never pay. Sign in with another account to buy.', to: page, label: 'Back to the dataset' }
  if (access === 'confirm')
    return {
      text: 'Confirm your email address first. Use the button in the email that we sent you.',
      to: page,
      label: 'Back to the dataset',
    }
  if (access === 'granted' && !(await isBehind(found, person)))
    return { text: 'You have access to this dataset already.', to: page, label: 'Open the dataset' }
  if (organization.state !== 'active')
    return { text: `${organization.name} is suspended. Please contact us.`, to: '/contact', label: 'Contact us' }
  if (mayIn(organization.role, 'buy')) return undefined
  return {
    text: `In ${organization.name}, only buyers and admins buy. Ask one of them, or send a request: we tell them what you need.`,
    to: `${page}#request-access`,
    label: catalogWords.requestAccess,
  }
}

/** Later versions can be bought after the versions of a period. */
async function isBehind(found: CatalogEntry, person: Member): Promise<boolean> {
  const served = await servedTo(found, person)
  return served?.version?.id !== found.version?.id
}

type Chosen = {
  offer: string | undefined
  code: string
  countryCode?: string | undefined
  vatNumber?: string | undefined
  isBusiness?: boolean
  isConsumer?: boolean
}

/** The contents of the order form. */
export async function describePurchase({ product }: CatalogEntry, { organization: { id } }: Member, chosen: Chosen) {
  const [organization, offers] = [await findBuyer(id), await listOffers(product)]
  const offer =
    offers.find((each) => (each.id ?? '') === chosen.offer) ??
    offers.find(({ currency }) => currency === organization.currency) ??
    offers[0] ??
    stop('notFound', 'There is no offer.')
  const buyer = withTyped(organization, chosen)
  // Each of them has its total, so that the page follows the choice.
  const asked = offers.map(async (each) => {
    // The provider is asked about one.
    const describe = async (quote: Quoted) => describeQuote(quote, each === offer ? await findTaxOf(quote, buyer) : undefined)
    const quote = await quoteOrReason(product, buyer, each, chosen.code)
    const described = await describe(quote)
    // A discount applies to the first period only.
    const isOff = each.charged !== 'once' && 'discount' in quote && quote.discount
    const next = isOff ? await describe(await quoteOrReason(product, buyer, each, '')) : described
    return describeOffer(each, described, next.total?.text)
  })
  return {
    slug: product.slug,
    name: product.name,
    isSample: product.isSample,
    isTest: env.PAYMENTS.includes('test'),
    offers: await Promise.all(asked),
    chosen: offer.id ?? '',
    buyer: describeBuyer(organization),
    /** Whether the buyer says for whom. */
    hasChoice: offersChoice(organization),
    supplyConsent: immediateSupply.text,
    licence: dataLicence(product),
    // Browsers call a few countries by another name, so the server says them.
    countries: countryNames(),
  }
}

/** The tax follows what is typed, before it is kept. */
function withTyped(organization: Row<'organizations'>, { countryCode, vatNumber, isBusiness, isConsumer }: Chosen): Row<'organizations'> {
  return {
    ...organization,
    countryCode: organization.countryCode || (countryCode ?? ''),
    vatNumber: organization.vatNumber || (vatNumber ?? ''),
    ...(isBusiness && { kind: 'business' as const }),
    ...(isConsumer && { kind: 'consumer' as const }),
  }
}

function describeOffer(
  { id, charged, currency, amount, includes }: Offer,
  quote: ReturnType<typeof describeQuote>,
  renewal: string | undefined,
) {
  return {
    id: id ?? '',
    price: moneyText(amount, currency),
    charged: chargedWords[charged],
    includes: includesWords[includes],
    renews: charged === 'once' ? '' : `It renews each ${charged}${renewal ? ` for ${renewal}` : ''} until you cancel.`,
    quote,
  }
}

type Quoted = (Quote | { reason: string }) & { refusedCode?: string }

/** Without the country the tax is not known yet, and a discount code may be wrong. Neither is a reason to hide the price. */
async function quoteOrReason(
  product: Row<'dataProducts'>,
  organization: Row<'organizations'>,
  offer: Offer,
  code: string,
): Promise<Quoted> {
  try {
    return await quoteOf({ product, organization, offer, code })
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    if (error.extra.errors?.['code'] === undefined) return { reason: error.data }
    return { ...(await quoteOrReason(product, organization, offer, '')), refusedCode: error.data }
  }
}

/** Private persons see prices with tax. Where the provider needs more than the country, its page is the first that has it. */
async function findTaxOf(quote: Quoted, { kind, countryCode }: Row<'organizations'>): Promise<ProviderTax | undefined> {
  if ('reason' in quote || quote.taxBy !== 'provider' || kind !== 'consumer' || !countryCode) return undefined
  const { net: amount } = quote.totals
  const asked = { amount, currency: quote.offer.currency, isBusiness: false, countryCode, vatNumber: '' }
  return providerFor()
    .quoteTax(asked)
    .catch((error: unknown) => {
      log.warn({ err: error }, 'the provider did not compute a tax')
      return undefined
    })
}

function describeQuote(quote: Quoted, known: ProviderTax | undefined) {
  if ('reason' in quote) return { ...quote, total: undefined }
  const { totals, discount, offer, taxBy } = quote
  const text = (amount: number) => moneyText(amount, offer.currency)
  const taxes = (known ? withProviderTax(totals, known) : totals).taxParts.map(({ rate, tax, reason }) => ({
    label: rate > 0 ? `Tax, ${percentText(rate)}` : 'Tax',
    text: taxBy === 'provider' && !known ? 'with the payment' : text(tax),
    reason: known ? 'For your country. The payment page has the tax of your address.' : reason,
  }))
  const off = totals.lines.reduce((sum, line) => sum + line.discount, 0)
  return {
    refusedCode: quote.refusedCode,
    total: {
      gross: totals.gross,
      text: known ? text(totals.net + known.tax) : `${text(totals.gross)}${taxBy === 'provider' ? ' plus tax' : ''}`,
    },
    lines: [
      { label: 'Price', text: text(offer.amount), reason: '' },
      ...(discount ? [{ label: `Discount ${discount.code}`, text: `−${text(off)}`, reason: '' }] : []),
      ...taxes,
    ],
  }
}

function describeBuyer(organization: Row<'organizations'>) {
  const { legalName, name, isPersonal, address, countryCode, vatNumber, vatState, needsPurchaseOrder, kind } = organization
  return {
    name: legalName || (isPersonal ? 'Personal' : name),
    lines: [address, countryCode && (new Intl.DisplayNames('en', { type: 'region' }).of(countryCode) ?? countryCode), vatNumber].flatMap(
      (line) => line || [],
    ),
    lacking: lackingFacts(organization),
    asksVatNumber: vatNumber === '',
    hasInvalidVatNumber: vatNumber !== '' && vatState === 'invalid',
    needsPurchaseOrder,
    isBusiness: kind === 'business',
    isConsumer: kind === 'consumer',
  }
}
