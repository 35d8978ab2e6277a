import type { Offer, Service } from 'schema-dts'
import { identity } from '#app/content/identity.ts'
import { offerings } from '#app/content/offerings.ts'
import type { Price } from '#app/content/price.ts'
import { heads } from '#app/content/seo.ts'
import { writtenForm } from '#app/platform/text/written-form.ts'

type Offered = { readonly id: string; readonly title: string; readonly description: string; readonly price: Price }

/** One orderable service, described at `place`. A service that is priced in a call has no price. */
export function serviceOf(site: string, { id, title, description, price }: Offered, place: string): Service {
  return {
    '@type': 'Service',
    '@id': `${site}/#service-${id}`,
    name: title,
    description,
    serviceType: 'Web scraping and data extraction',
    url: site + place,
    provider: providerAt(site),
    ...(price !== 'custom pricing' && { offers: offerOf(title, price, site + place) }),
  }
}

/** The four offerings of the hire page, all from one person. */
export function hireService(site: string): Service {
  const { title, description } = heads[hirePath]
  return {
    '@type': 'Service',
    '@id': `${site}${hirePath}#service`,
    name: title,
    description,
    serviceType: 'Web scraping and data extraction',
    url: site + hirePath,
    provider: providerAt(site),
    offers: Object.values(offerings).map((offering) => offerOf(offering.title, offering.price, `${site}/services#${offering.id}`)),
  }
}

const hirePath = '/hire-web-scraping-developer'

function providerAt(site: string) {
  return { '@type': 'Organization' as const, '@id': `${site}/#organization`, name: identity.name, url: `${site}/` }
}

/** `from` is the lowest price, in total or per month. */
function offerOf(name: string, price: Exclude<Price, string>, url: string): Offer {
  return {
    '@type': 'Offer',
    name,
    url,
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      minPrice: price.from,
      priceCurrency: writtenForm().currency,
      ...(price.per === 'month' && { unitCode: 'MON', unitText: 'month' }),
    },
  }
}
