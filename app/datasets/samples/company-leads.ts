import { chanceOf, type Chance } from './chance.ts'
import type { SampleCell, SampleSheet } from './csv.ts'
import { dayAfter } from './days.ts'
import { asAddress, companyName, personName } from './invented-names.ts'
import { places } from './places.ts'
import { FIRST_DAY } from './shop-prices.ts'

const COMPANIES = 5000

const columns = [
  'company_id',
  'company',
  'website',
  'industry',
  'country',
  'country_code',
  'city',
  'employees',
  'founded',
  'revenue_band',
  'shop_system',
  'contact_name',
  'contact_role',
  'contact_email',
  'contact_phone',
  'first_seen',
  'last_checked',
  'invented',
]

const industries = [
  { name: 'Online retail', kinds: ['Store', 'Supply', 'Outfitters'], sells: true },
  { name: 'Wholesale', kinds: ['Trading', 'Wholesale', 'Distribution'], sells: true },
  { name: 'Manufacturing', kinds: ['Industries', 'Engineering', 'Fabrication'], sells: false },
  { name: 'Logistics', kinds: ['Freight', 'Logistics', 'Storage'], sells: false },
  { name: 'Software', kinds: ['Systems', 'Labs', 'Software'], sells: false },
  { name: 'Real estate', kinds: ['Estates', 'Property', 'Homes'], sells: false },
  { name: 'Travel', kinds: ['Travel', 'Tours', 'Stays'], sells: true },
  { name: 'Energy', kinds: ['Solar', 'Heat Pumps', 'Power'], sells: false },
] as const

const roles = [
  'Head of E-commerce',
  'Purchasing Manager',
  'Managing Director',
  'Head of Data',
  'Marketing Lead',
  'Operations Manager',
  'Founder',
]
const systems = ['Shopify', 'WooCommerce', 'Magento', 'Shopware', 'custom']

/** Fictional companies that cannot be reached: all addresses end in `.example`, and phone numbers are from the range for fiction. */
export function companyLeads(): SampleSheet {
  return { columns, rows: rowsOf() }
}

function* rowsOf(): Generator<SampleCell[]> {
  const chance = chanceOf('company-leads')
  for (let index = 1; index <= COMPANIES; index += 1) yield rowOf(index, chance)
}

function rowOf(index: number, chance: Chance): SampleCell[] {
  const industry = chance.one(industries)
  const place = chance.one(places)
  const name = companyName(chance, chance.one(industry.kinds))
  const host = `${asAddress(name)}-${index}.example`
  const employees = Math.max(1, Math.round(2 ** chance.around(5, 2.2)))
  const firstSeen = chance.whole(0, 330)
  return [
    `C-${String(index).padStart(5, '0')}`,
    name,
    `https://${host}`,
    industry.name,
    place.country,
    place.code,
    chance.one(place.cities),
    chance.happens(0.93) ? employees : null,
    chance.happens(0.81) ? chance.whole(1952, 2024) : null,
    chance.happens(0.74) ? revenueBand(employees) : null,
    industry.sells && chance.happens(0.9) ? chance.one(systems) : null,
    ...contactOf(chance, host, index),
    dayAfter(FIRST_DAY, firstSeen),
    dayAfter(FIRST_DAY, chance.whole(firstSeen, 364)),
    true,
  ]
}

function contactOf(chance: Chance, host: string, index: number): SampleCell[] {
  const { first, last } = personName(chance)
  const isKnown = chance.happens(0.68)
  const phone = chance.happens(0.52) ? `+1 ${200 + (index % 700)} 555 01${String(index % 100).padStart(2, '0')}` : null
  if (!isKnown) return [null, null, `info@${host}`, phone]
  return [`${first} ${last}`, chance.one(roles), `${asAddress(first)}.${asAddress(last)}@${host}`, phone]
}

function revenueBand(employees: number): string {
  if (employees < 10) return 'under $1M'
  if (employees < 50) return '$1M to $10M'
  return employees < 250 ? '$10M to $50M' : 'over $50M'
}
