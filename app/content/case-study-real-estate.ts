import type { CaseStudy } from './case-study.ts'

const reach = '7 minutes'
const total = '6 weeks'

export const realEstateLeads = {
  slug: 'real-estate-lead-system',
  category: 'Real estate lead system',
  inShort: `real estate leads within ${reach}`,
  title: `Real estate leads found within ${reach}`,
  summary: `Sellers sign with the first agent who calls. A new listing now reaches the right agent within ${reach} of going public.`,
  industry: 'Residential real estate',
  client: 'A brokerage with 40 agents in three counties of the southeastern United States',
  text: `### Challenge

For-sale-by-owner homes and expired listings appear on eleven portals, in county records and in classified ads. Two assistants read them by hand, every morning and afternoon.

By the time an agent called, the owner had often spoken to someone else. The same house was on three portals under three spellings, so two agents sometimes called the same owner.

### Solution

A pipeline reads the eleven sources every two minutes and picks out new listings. Duplicates of a house become one lead. County records add the owner and the last sale.

The area’s agent gets the lead by text message, with full details in the CRM. After ten minutes without a reply, the lead goes to the next agent.

### Implementation

- A scraper for each of the eleven sources, tested every day
- Addresses in one format, so duplicates of a house are recognized
- Owner, last sale and assessed value from public county records
- Leads assigned by ZIP code, price range and working hours
- Text message to the agent, record in the CRM, time of the first call measured
- An alert when a source has been silent for 15 minutes`,
  technologies: ['Python', 'Playwright', 'PostgreSQL', 'PostGIS', 'Redis', 'Twilio', 'HubSpot API'],
  timeline: {
    total,
    phases: [
      { when: 'Week 1', what: 'Sources listed, terms reviewed, request rates agreed' },
      { when: 'Weeks 2-3', what: 'Scrapers and address matching' },
      { when: 'Week 4', what: 'County records, lead assignment' },
      { when: 'Week 5', what: 'Trial with six agents' },
      { when: 'Week 6', what: 'All 40 agents, handover and training' },
    ],
  },
  results: [
    {
      value: reach,
      metric: 'from listing to agent',
      description: `Leads are found within ${reach} of going public. Before, it took 4 to 24 hours.`,
    },
    {
      value: '25%',
      metric: 'conversion increase',
      description: 'More leads became signed listings in the first quarter than in the quarter before.',
    },
    { value: total, metric: 'implementation', description: 'From the first call to all 40 agents.' },
  ],
  chart: {
    kind: 'stages',
    title: `Where the ${reach} go`,
    caption: 'The time limit of each step. Without county records, a lead would go out in 4 minutes and 10 seconds.',
    stages: [
      { label: 'Source read', seconds: 120 },
      { label: 'Copies merged', seconds: 40 },
      { label: 'County records added', seconds: 170 },
      { label: 'Agent chosen', seconds: 30 },
      { label: 'Text message arrives', seconds: 60 },
    ],
  },
} as const satisfies CaseStudy
