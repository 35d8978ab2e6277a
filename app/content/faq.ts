import { priceText } from './price.ts'
import { offerings } from './offerings.ts'
import { liveContent } from './settings/live.ts'
import type { StoredSettings } from './settings/sections.server.ts'
import { terms } from './terms.ts'

export type Question = { readonly id: string; readonly question: string; readonly answer: readonly string[] }

/** Eight. An answer is a list of paragraphs; one that names a price reads it at each use. */
const defaultsOfHome: readonly Question[] = [
  {
    id: 'competitive-advantage',
    question: 'How does web data become a competitive advantage?',
    answer: [
      'You decide on facts your competitors don’t have yet. A shop that sees a price drop at nine can respond at ten. A sales team that sees a company move offices can call this week.',
      'Most of the data is public. Your advantage is to have it complete, checked and on time, in the tools you use to decide.',
    ],
  },
  {
    id: 'return-on-investment',
    question: 'What return can we expect, and what does it cost?',
    get answer() {
      return [
        `Clients who act on the data typically see a return of ${terms.returnOnInvestment}. Most of it comes from less manual work, better prices and leads reached first. On the free call, we estimate your return from your own numbers. If the project won’t pay off, we say so.`,
        `Simple projects start ${priceText(offerings.scraping.price)}; enterprise work runs ${terms.enterprise}. You get a fixed price in writing before work starts.`,
      ]
    },
  },
  {
    id: 'legality',
    question: 'Is web scraping legal?',
    answer: [
      'Collecting public facts is legal in most places when done with care. We read public pages, or pages you have the right to read. We don’t bypass access controls or republish other people’s work, and we read at a rate no site notices.',
      'We collect personal data only for a purpose that the GDPR, the CCPA or your local law allows. We collect only the fields you need. Before each project, we review the terms of every source and tell you the risks we see. For legal advice on your case, ask your lawyer. We’ll answer their questions.',
    ],
  },
  {
    id: 'delivery',
    question: 'How fast do you deliver?',
    answer: [
      `Urgent requests take ${terms.delivery.urgent}. Standard projects take ${terms.delivery.standard}. Enterprise work takes ${terms.delivery.enterprise}. The clock starts when we agree on the scope and receive the deposit.`,
      'Your proposal includes the date. If a source turns out to be harder than expected, we tell you the same day, with a new date.',
    ],
  },
  {
    id: 'changes-and-blocking',
    question: 'What happens when a site changes or blocks the scraper?',
    answer: [
      'Sites change every week, so we plan for it. A daily test checks the fields, counts and ranges of every source. If it fails, you have the last good data, we notify you, and an engineer fixes the scraper. Most fixes take less than a working day.',
      'We avoid blocks by reading lightly: few requests, a rate limit for each site, caching, and official APIs where available. If a site’s owner clearly doesn’t want to be scraped, we help you find another source.',
    ],
  },
  {
    id: 'integration',
    question: 'Will the data fit into our existing systems?',
    answer: [
      'Yes. We deliver files (CSV, Excel, JSON, Parquet) or a REST API, with a webhook for each new version. Spreadsheets, databases and warehouses load these formats.',
      'Columns use your names, types and units.',
    ],
  },
  {
    id: 'data-quality',
    question: 'How do you make sure the data is right?',
    answer: [
      `We commit to ${terms.accuracy} accuracy. We compare rows with the source. Each row must pass the rules we agreed on, such as required fields, ranges, formats and duplicates.`,
      `If a delivery falls short, we correct it free of charge. You have ${terms.correction} to tell us.`,
    ],
  },
  {
    id: 'industries',
    question: 'Which industries do you serve?',
    answer: [
      'Most of our clients are in e-commerce and retail, real estate, B2B sales, marketing, finance, travel, recruitment and logistics. The sources differ; the work of reading, checking and delivering is the same.',
      'If your field is new to us, we ask before we begin.',
    ],
  },
]

const defaultsOfHire: readonly Question[] = [
  {
    id: 'what-does-a-developer-do',
    question: 'What does a web scraping developer do for me?',
    answer: [
      'The developer chooses the sources, writes the scrapers, checks every row and delivers the data where you need it. When a source changes, the developer fixes the scraper. You get data, not a tool to operate.',
    ],
  },
  {
    id: 'cost',
    question: 'What does it cost to hire you?',
    get answer() {
      return [
        `A single scraper on one site starts ${priceText(offerings.scraping.price)}, an API on one source ${priceText(offerings.apis.price)}, monitoring ${priceText(offerings.intelligence.price)}. Enterprise work runs ${terms.enterprise}. Within ${terms.response} of your message, you get ${terms.answer}.`,
        `A ${terms.deposit} deposit is due before the project starts, the rest on completion.`,
      ]
    },
  },
  {
    id: 'how-long',
    question: 'How long does a project take?',
    answer: [
      `Most projects take ${terms.project} from the deposit to the final delivery. A simple scraper can be ready in ${terms.delivery.urgent}. Your proposal includes the date.`,
    ],
  },
  {
    id: 'difficult-sites',
    question: 'Can you scrape sites with JavaScript, logins or infinite scroll?',
    answer: [
      'Yes. We read sites with JavaScript, search forms, maps and infinite scroll, in a real browser where needed. We read behind a login if the account is yours and its terms allow it. We don’t bypass access controls.',
    ],
  },
  {
    id: 'maintenance',
    question: 'Who maintains the scraper when the site changes?',
    answer: [
      `We do. Corrections are free of charge for ${terms.correction} after delivery. After that, you can book monthly maintenance: a daily test, an alert and a fix, usually within one working day.`,
    ],
  },
  {
    id: 'ownership',
    question: 'Do I own the code and the data?',
    answer: [
      'Yes. With the final payment, the code written for you and the data collected for you belong to you. You can use, change and move them. Tools that we had before stay ours. If your delivery contains them, you get a lasting license to use and change them with it. Open-source libraries keep their own licenses, which we list.',
    ],
  },
  {
    id: 'start',
    question: 'What do you need from me to get started?',
    answer: [
      `The URLs of the pages, the columns you want, and the date you need them. The best brief is an example row in a spreadsheet. Not sure yet? Book the free ${terms.callLength} call and we’ll work it out together.`,
    ],
  },
]

/** The questions of the home page. */
export const homeQuestions = liveContent('questions', defaultsOfHome, ({ home }) => merged(home, defaultsOfHome))

/** The questions of the hire page. */
export const hireQuestions = liveContent('questions', defaultsOfHire, ({ hire }) => merged(hire, defaultsOfHire))

/** A question of the file keeps its address; a new one gets an address from its words. */
function merged(saved: StoredSettings['questions']['home'], defaults: readonly Question[]): readonly Question[] {
  return saved.map(({ question, answer }, index) => ({
    id: defaults.find((known) => known.question === question)?.id ?? (addressOf(question) || `question-${index + 1}`),
    question,
    answer: answer.split(/\n\s*\n/),
  }))
}

function addressOf(question: string): string {
  return question
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60)
}
