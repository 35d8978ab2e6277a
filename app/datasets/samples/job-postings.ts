import { chanceOf, type Chance } from './chance.ts'
import type { SampleCell, SampleSheet } from './csv.ts'
import { dayAfter } from './days.ts'
import { asAddress, companyName } from './invented-names.ts'
import { places } from './places.ts'

const POSTINGS = 3000
const FIRST = '2026-07-01'
const DAYS = 92

const columns = [
  'posting_id',
  'title',
  'seniority',
  'field',
  'company',
  'country',
  'city',
  'workplace',
  'contract',
  'salary_from',
  'salary_to',
  'currency',
  'skills',
  'posted',
  'last_seen',
  'days_open',
  'reposted',
  'url',
  'invented',
]

const fields = [
  {
    name: 'Data',
    titles: ['Data Engineer', 'Data Analyst', 'Analytics Engineer', 'Data Scientist'],
    skills: ['SQL', 'Python', 'dbt', 'Spark', 'Airflow', 'Tableau'],
    pay: 72,
  },
  {
    name: 'Software',
    titles: ['Backend Developer', 'Frontend Developer', 'Site Reliability Engineer', 'QA Engineer'],
    skills: ['TypeScript', 'Go', 'React', 'PostgreSQL', 'Kubernetes', 'Playwright'],
    pay: 76,
  },
  {
    name: 'E-commerce',
    titles: ['Category Manager', 'Pricing Analyst', 'Marketplace Manager'],
    skills: ['Excel', 'SQL', 'SEO', 'Negotiation', 'Forecasting'],
    pay: 54,
  },
  {
    name: 'Logistics',
    titles: ['Warehouse Lead', 'Transport Planner', 'Supply Chain Analyst'],
    skills: ['SAP', 'Excel', 'Route planning', 'Forklift licence'],
    pay: 46,
  },
  {
    name: 'Marketing',
    titles: ['Content Editor', 'Performance Marketer', 'CRM Manager'],
    skills: ['Copywriting', 'Analytics', 'E-mail', 'SEO', 'A/B tests'],
    pay: 52,
  },
] as const

const levels = [
  { name: 'Junior', share: 0.72 },
  { name: 'Mid', share: 1 },
  { name: 'Senior', share: 1.32 },
  { name: 'Lead', share: 1.55 },
] as const

/** A quarter of fictional job postings as a crawler sees them: some repeat, and a third has no salary. */
export function jobPostings(): SampleSheet {
  const chance = chanceOf('job-postings')
  const days = Array.from({ length: POSTINGS }, () => chance.whole(0, DAYS - 1)).toSorted((one, other) => one - other)
  return { columns, rows: days.map((day, index) => rowOf(index + 1, day, chance)) }
}

function rowOf(index: number, posted: number, chance: Chance): SampleCell[] {
  const field = chance.one(fields)
  const level = chance.one(levels)
  const title = chance.one(field.titles)
  const company = companyName(chance, chance.one(['Group', 'Systems', 'Store', 'Logistics', 'Labs', 'Studio']))
  const place = chance.one(places)
  const open = Math.min(chance.whole(4, 55), DAYS - 1 - posted)
  return [
    `J-${String(index).padStart(5, '0')}`,
    level.name === 'Mid' ? title : `${level.name} ${title}`,
    level.name,
    field.name,
    company,
    place.country,
    chance.one(place.cities),
    chance.one(['on site', 'hybrid', 'hybrid', 'remote']),
    chance.one(['permanent', 'permanent', 'permanent', 'fixed term', 'freelance']),
    ...payOf(chance, field.pay * level.share),
    field.skills.filter(() => chance.happens(0.55)).join('; ') || null,
    dayAfter(FIRST, posted),
    dayAfter(FIRST, posted + open),
    open,
    chance.happens(0.12),
    `https://jobs.${asAddress(company)}.example/${index}`,
    true,
  ]
}

/** In thousands per year; a third of the employers do not publish it. */
function payOf(chance: Chance, thousands: number): SampleCell[] {
  if (!chance.happens(0.66)) return [null, null, null]
  const from = Math.round(chance.around(thousands, thousands * 0.12)) * 1000
  return [from, from + chance.whole(4, 18) * 1000, 'USD']
}
