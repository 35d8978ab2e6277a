/** The member states of the European Union, by the codes of ISO 3166. */
const EU = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '))

export function isInEu(countryCode: string): boolean {
  return EU.has(countryCode)
}

/** Why there is no tax, as invoices say it in English. */
export const reasons = {
  reverseCharge: 'Reverse charge: the recipient owes the VAT (Article 196 of Directive 2006/112/EC).',
  outOfScope: 'Not subject to VAT: the place of supply is outside the European Union.',
  abroad: 'Not subject to VAT: the place of supply is the country of the recipient.',
} as const
