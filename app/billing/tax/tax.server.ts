import type { OrderLine, TaxPart } from '#app/billing/orders/order.ts'
import { billing, type BillingSettings } from '#app/content/billing.server.ts'
import { currentSettings } from '#app/content/settings/live.ts'
import { taxModes, uncheckedWays } from '#app/content/settings/sections.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { minorDigits } from '#app/platform/text/money.ts'
import { writtenForm } from '#app/platform/text/written-form.ts'
import type { Row } from '#db/tables.ts'
import { businessDay } from '#app/platform/time/business-day.ts'
import { isInEu, reasons } from './tax.ts'

/** The facts of a buyer that decide the tax; columns of `organizations`. */
export type TaxedBuyer = Pick<Row<'organizations'>, 'countryCode' | 'kind' | 'vatNumber' | 'vatState'> &
  Partial<Pick<Row<'organizations'>, 'region' | 'vatEvidence'>>

type Charged = Pick<TaxPart, 'category' | 'rate' | 'reason'>
type Supplied = Pick<OrderLine, 'supply'>
type TaxOf = (line: Supplied) => Charged

/** Whether the payment provider computes the tax of what is paid on its page from now on. */
export function isTaxedByProvider(): boolean {
  return billing.mode === taxModes.provider && env.PAYMENTS.some((name) => name !== 'transfer')
}

/** Private persons buy only where the payment provider computes the tax. */
export function sellsToConsumers(): boolean {
  return env.SELL_TO === 'all' && isTaxedByProvider()
}

/** The tax of each line while the payment provider has not computed it. */
export const taxAtCheckout: TaxOf = () => ({ category: 'O', rate: 0, reason: 'Added on the payment page, by your address.' })

/**
 * The tax of each line for a buyer at a moment. Stops with a sentence for people where no rule says it. Test orders also work before the
 * owner has chosen how tax is charged; `currency` is the one of the order.
 */
export function taxOf(buyer: TaxedBuyer, at: Date, { isTest = false, currency = homeCurrency() } = {}): TaxOf {
  refuseEarly(isTest)
  if (buyer.kind === 'consumer') refuseConsumer()
  if (billing.mode === taxModes.none) return () => ({ category: 'O', rate: 0, reason: billing.noTax })
  if (billing.mode === taxModes.small) return () => ({ category: 'E', rate: 0, reason: billing.smallBusiness })
  if (!buyer.countryCode)
    stop('unprocessable', 'Enter the country of your organization first: the tax depends on it.', { code: 'country_missing' })
  const day = businessDay(at, billing.zone)
  return (line) => {
    const charged = byTable(buyer, line, day)
    if (charged.rate > 0) refuseUnexchanged(currency, day)
    return charged
  }
}

/** An invoice with tax in another currency says the tax in the seller's too, so it needs a rate before anybody pays. */
export function refuseUnexchanged(currency: string, day = businessDay(new Date(), billing.zone)): void {
  if (currency === homeCurrency() || exchangeOn(currency, day)) return
  const sentence = `Orders in ${currency} wait until the owner has entered its exchange rate in Settings, Billing. Choose a price in another currency, or write to us.`
  stop('conflict', sentence, { code: 'exchange_missing' })
}

/** Real orders need the settings of billing. */
export function refuseEarly(isTest: boolean): void {
  if (isTest || currentSettings().billing) return
  stop('conflict', 'Orders wait until the owner has saved who sells and how tax is charged: Settings, Billing.', {
    code: 'billing_not_set_up',
  })
}

export function refuseConsumer(): never {
  return stop('unprocessable', 'We sell to businesses only. Set “Buys as” of your organization to a business.', { code: 'business_only' })
}

/** The currency in which the seller keeps its books. */
export function homeCurrency(): string {
  return writtenForm().currency
}

export type Exchange = { currency: string; rate: string; on: string }

/** The newest exchange rate of a day or before: how much of the currency one unit of the seller's is. */
export function exchangeOn(currency: string, day: string): Exchange | undefined {
  return billing.exchange
    .filter((rate) => rate.currency === currency && rate.on <= day)
    .toSorted((one, other) => other.on.localeCompare(one.on))
    .at(0)
}

/** An amount in the smallest unit of the seller's currency, at a rate as `exchangeOn` returns it. */
export function toHome(amount: number, currency: string, rate: string): number {
  return Math.round((amount / 10 ** minorDigits(currency) / Number(rate)) * 10 ** minorDigits(homeCurrency()))
}

function byTable(buyer: TaxedBuyer, line: Supplied, day: string): Charged {
  const seller = billing.country
  const isForeign = buyer.countryCode !== seller
  const isWithinEu = isForeign && isInEu(seller) && isInEu(buyer.countryCode)
  if (isWithinEu && buyer.kind === 'business' && isProven(buyer)) return { category: 'AE', rate: 0, reason: reasons.reverseCharge }
  const rule = ruleFor(buyer, line, day)
  if (rule) return chargedBy(rule)
  if (isForeign && !isWithinEu && buyer.kind === 'business') {
    return { category: 'O', rate: 0, reason: isInEu(seller) ? reasons.outOfScope : reasons.abroad }
  }
  return refuse(buyer, isWithinEu)
}

/** Whether the VAT number has been confirmed, or staff have evidence while nothing answers. Stops where an order is to be held meanwhile. */
function isProven({ vatNumber, vatState, vatEvidence = '' }: TaxedBuyer): boolean {
  if (!vatNumber || vatState === 'invalid') return false
  if (vatState === 'valid') return true
  if (billing.whenUnchecked === uncheckedWays.evidence && vatEvidence) return true
  if (billing.whenUnchecked === uncheckedWays.charge) return false
  return stop(
    'conflict',
    'Your VAT number could not be checked yet, because the register of the EU does not answer. Please try again later.',
    {
      code: 'vat_not_checked',
    },
  )
}

type Rule = BillingSettings['rates'][number]

/** The most particular rule of the day: of a region before its country, of a country before the EU, of a kind of supply before all, the newest first. */
function ruleFor({ countryCode, region = '' }: TaxedBuyer, { supply }: Supplied, day: string): Rule | undefined {
  const kind = supply === 'data' ? 'Data' : 'Services'
  const isOtherEu = isInEu(countryCode) && countryCode !== billing.country
  const fits = (rule: Rule) =>
    (rule.country === countryCode || (rule.country === 'EU' && isOtherEu)) &&
    (!rule.region || rule.region.toLowerCase() === region.toLowerCase()) &&
    (rule.supply === 'Everything' || rule.supply === kind) &&
    (!rule.from || rule.from <= day)
  const weight = (rule: Rule) => (rule.country === 'EU' ? 0 : 4) + (rule.region ? 2 : 0) + (rule.supply === 'Everything' ? 0 : 1)
  return billing.rates
    .filter(fits)
    .toSorted((one, other) => weight(other) - weight(one) || (other.from ?? '').localeCompare(one.from ?? ''))
    .at(0)
}

function chargedBy({ rate, exempt }: Rule): Charged {
  if (exempt !== undefined) return { category: 'E', rate: 0, reason: exempt }
  const share = Math.round(Number(rate) * 100)
  return { category: share === 0 ? 'Z' : 'S', rate: share, reason: '' }
}

function refuse({ countryCode, vatNumber, vatState }: TaxedBuyer, isWithinEu: boolean): never {
  const country = new Intl.DisplayNames('en', { type: 'region' }).of(countryCode) ?? countryCode
  if (isWithinEu && vatState === 'invalid' && vatNumber)
    stop('unprocessable', `The register of the EU does not know the VAT number ${vatNumber}. Please correct it.`, { code: 'vat_invalid' })
  if (isWithinEu && !vatNumber)
    stop('unprocessable', 'Enter the VAT number of your organization first: without it we cannot invoice your country.', {
      code: 'vat_missing',
    })
  return stop('unprocessable', `We have no tax rule for ${country} yet, so this cannot be ordered. Please write to us.`, {
    code: 'no_tax_rule',
  })
}
