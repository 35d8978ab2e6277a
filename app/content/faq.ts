import { priceText } from './price.ts'
import { offerings } from './offerings.ts'
import { terms } from './terms.ts'

export type Question = { readonly id: string; readonly question: string; readonly answer: readonly string[] }

/** The eight questions of the home page. An answer is a list of paragraphs. */
export const homeQuestions = [
  {
    id: 'competitive-advantage',
    question: 'How does web data become a competitive advantage?',
    answer: [
      'You decide on facts that your competitors do not have yet. A shop that sees a price fall at nine can answer at ten. A sales team that sees a company move offices can call this week and not next year.',
      'The advantage is not the data itself: most of it is public. It is having it complete, checked and on time, in the tool where you decide.',
    ],
  },
  {
    id: 'return-on-investment',
    question: 'What return can we expect, and what does it cost?',
    answer: [
      `Clients who act on the data typically see a return of ${terms.returnOnInvestment}. Most of it comes from copying that nobody has to do any more, prices that are no longer too low, and leads reached first. We work out your case on the free call, with your own figures, and say so if it does not pay.`,
      `Simple projects start ${priceText(offerings.scraping.price)}; enterprise work runs ${terms.enterprise}. You get a fixed price in writing before anything begins.`,
    ],
  },
  {
    id: 'legality',
    question: 'Is web scraping legal?',
    answer: [
      'Collecting public facts is lawful in most places, if it is done with care. We read public pages, or pages that you have the right to read. We do not break access controls, we do not republish the works of others, and we read at a rate that no site notices.',
      'Personal data is collected only with a lawful purpose under the GDPR, the CCPA or the law that applies to you, and only the fields you need. Before each project we look at the terms of every source and tell you the risks we see. For a ruling on your case, ask your lawyer; we will answer their questions.',
    ],
  },
  {
    id: 'delivery',
    question: 'How fast do you deliver?',
    answer: [
      `Urgent requests take ${terms.delivery.urgent}. Standard projects take ${terms.delivery.standard}. Enterprise work takes ${terms.delivery.enterprise}. The time starts when the scope is agreed and the deposit has arrived.`,
      'The date is part of the proposal. If a source turns out harder than it looked, you hear it on the day we find out, with a new date.',
    ],
  },
  {
    id: 'changes-and-blocking',
    question: 'What happens when a site changes or blocks the reader?',
    answer: [
      'Sites change every week, so we plan for it. Every source has a daily test that compares what arrives with what should: fields, counts and ranges. When it fails, the last good data stays in place, you are told, and an engineer repairs the reader. Most repairs take less than a working day.',
      'We avoid being blocked by reading lightly: no more requests than the data needs, a rate set for each site, caching, official APIs where they exist. If a site’s owner clearly does not want to be read, we look for another source with you.',
    ],
  },
  {
    id: 'integration',
    question: 'Will the data fit into our existing systems?',
    answer: [
      'Yes. We deliver files (CSV, Excel, JSON, Parquet), rows in your database or warehouse, a REST API, or webhooks, and connect to tools such as Salesforce, HubSpot, Shopify, Google Sheets, Slack, Snowflake and BigQuery.',
      'The columns carry your names, types and units. Before the first full delivery you receive a sample to load, so that the fit is proven before you rely on it.',
    ],
  },
  {
    id: 'data-quality',
    question: 'How do you make sure that the data is right?',
    answer: [
      `We commit to ${terms.accuracy} accuracy. It is measured: each delivery is compared with the source by a random sample, and each row passes the rules that we agreed with you, such as required fields, ranges, formats and duplicates. The result comes with the data.`,
      `If a delivery falls short, we correct it free of charge. You have ${terms.correction} to tell us.`,
    ],
  },
  {
    id: 'industries',
    question: 'Which industries do you serve?',
    answer: [
      'Most of our clients are in e-commerce and retail, real estate, B2B sales, marketing, finance, travel, recruitment and logistics. The sources differ; the work of reading, checking and delivering is the same.',
      'If you need data from a field we do not know, the first sample shows us both whether we understood it.',
    ],
  },
] as const satisfies readonly Question[]

/** The seven questions of the hire page. */
export const hireQuestions = [
  {
    id: 'what-does-a-developer-do',
    question: 'What does a web scraping developer do for me?',
    answer: [
      'Plans which sources to read, writes the software that reads them, checks every row, delivers the result where you need it, and repairs the reader when a source changes. You get the data, not a tool you have to operate.',
    ],
  },
  {
    id: 'cost',
    question: 'What does it cost to hire you?',
    answer: [
      `A single scraper on one site starts ${priceText(offerings.scraping.price)}, an API on one source ${priceText(offerings.apis.price)}, monitoring ${priceText(offerings.intelligence.price)}. Enterprise work runs ${terms.enterprise}. Within ${terms.response} of your message you have ${terms.answer}.`,
      `A ${terms.deposit} deposit is due before the project starts, the rest on completion.`,
    ],
  },
  {
    id: 'how-long',
    question: 'How long does a project take?',
    answer: [
      `Most projects take ${terms.project} from the deposit to the final delivery. A simple scraper can be ready in ${terms.delivery.urgent}. The proposal names the day.`,
    ],
  },
  {
    id: 'difficult-sites',
    question: 'Can you read sites that need JavaScript, a login or endless scrolling?',
    answer: [
      'JavaScript, search forms, maps and endless scrolling: yes, in a real browser where a plain request is not enough. Logins: yes, if the account is yours and its terms allow it. We do not break into what is closed to you.',
    ],
  },
  {
    id: 'maintenance',
    question: 'Who looks after the scraper when the site changes?',
    answer: [
      `We do. Corrections are free of charge for ${terms.correction} after delivery. After that you can book maintenance by the month: a daily test, an alert, and the repair, usually within one working day.`,
    ],
  },
  {
    id: 'ownership',
    question: 'Do I own the code and the data?',
    answer: [
      'Yes. With the final payment, the code written for you and the data collected for you belong to you, to use, change and move elsewhere. Tools that we had before stay ours; where your delivery contains them, you receive a lasting license to use and change them with it. Open-source libraries keep their own licenses, which we list.',
    ],
  },
  {
    id: 'start',
    question: 'What do you need from me to begin?',
    answer: [
      `The addresses of the pages, the columns you want, and the day you need them. An example row in a spreadsheet is the best brief there is. If you are not sure yet, ask for the free ${terms.callLength} call and we write it down together.`,
    ],
  },
] as const satisfies readonly Question[]
