import { readFileSync } from 'node:fs'
import type { Run } from './engine.ts'

/** The site's own words, most frequent first, so that trigrams are as common and as rare as in a real message. */
const words = vocabulary(['privacy-policy', 'terms-of-service', 'cookie-policy'].map((name) => `app/content/legal/${name}.md`))

/** Words follow the frequencies of a language: the first ones are very common, the last ones rare. */
export const COMMON_WORD = words[12]
export const RARE_WORD = words.findLast((word) => word.length > 7)

const draw = `words[floor(power(${words.length}, random()))::integer]`
const pick = (values: (string | null)[]) =>
  `(ARRAY[${values.map((value) => (value === null ? 'NULL' : `'${value}'`)).join(', ')}])[1 + n % ${values.length}]`

/** Leads over three years, each of another person, with messages of 30 to 60 words, and a consultation for every eighth. */
export async function fillLeads(run: Run, count: number): Promise<void> {
  const indexes = await run(`SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'contacts' AND indexdef LIKE '%trgm%'`)
  for (const { indexname } of indexes) await run(`DROP INDEX ${String(indexname)}`)
  await run(`SELECT setseed(0.42)`)
  await run(`INSERT INTO people (id, email, name)
    SELECT gen_random_uuid(), 'person' || n || '@shop' || n % 977 || '.example', initcap(${draw} || ' ' || ${draw})
    FROM generate_series(1, ${count}) AS n, (SELECT ARRAY['${words.join("','")}'] AS words) AS language`)
  await run(`INSERT INTO contacts (id, reference, person_id, form, name, email, company, service_type, country, problem, message, answered_at, created_at)
    SELECT gen_random_uuid(), 'B-' || n, person.id, 'home', person.name, person.email, ${pick(['Acme', null, 'Nordwind', null, 'Kestrel Foods', null, null])},
      ${pick(['Web Scraping Services', 'Data Extraction', null, 'API Development', 'Price Monitoring', 'Lead Generation'])}, 'Germany', 'Price Monitoring',
      (SELECT string_agg(${draw} || left('', word), ' ') FROM generate_series(1, 30 + n % 30) AS word), CASE WHEN n % 50 > 0 THEN now() END, now() - n * interval '15 minutes'
    FROM (SELECT row_number() OVER ()::integer AS n, * FROM people) AS person, (SELECT ARRAY['${words.join("','")}'] AS words) AS language`)
  await run(`INSERT INTO consultations (id, person_id, contact_id, source, name, email, company, project_description, created_at)
    SELECT gen_random_uuid(), person_id, id, 'contact', name, email, company, message, created_at FROM contacts WHERE hashtext(reference) % 8 = 0`)
  for (const { indexdef } of indexes) await run(String(indexdef))
  for (const table of ['people', 'contacts', 'consultations']) await run(`VACUUM ANALYZE ${table}`)
}

function vocabulary(files: string[]): string[] {
  const counts = new Map<string, number>()
  for (const file of files) {
    for (const [word] of readFileSync(file, 'utf8')
      .toLowerCase()
      .matchAll(/[a-z]{3,}/g))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts.keys()].toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))
}
