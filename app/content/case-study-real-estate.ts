import type { CaseStudy } from './case-study.ts'

const reach = '7 minutes'
const total = '6 weeks'

export const realEstateLeads = {
  slug: 'real-estate-lead-system',
  category: 'Real estate lead system',
  title: `Real estate leads found within ${reach}`,
  summary: `Sellers sign with whoever calls first. A new listing now reaches the right agent within ${reach} of going public.`,
  industry: 'Residential real estate',
  client: 'A brokerage with 40 agents in three counties of the southeastern United States',
  challenge: [
    'Houses sold by their owners, and listings that expired, appear on eleven portals, in county records and in classified ads. Two assistants read them by hand, in the morning and in the afternoon.',
    'By the time an agent called, the owner had often spoken to someone else. The same house stood on three portals under three spellings, so two agents sometimes called the same owner.',
  ],
  solution: [
    'A pipeline reads the eleven sources every two minutes and keeps what is new. Copies of one house become one lead. County records add the owner and the last sale.',
    'The lead goes to the agent of that area by text message, and into the CRM with everything that is known. If the agent does not answer within ten minutes, it goes to the next.',
  ],
  implementation: [
    'A reader for each of the eleven sources, with a test of its own every day',
    'Addresses brought to one form, so that copies of a house are recognized',
    'Owner, last sale and assessed value from public county records',
    'Leads assigned by ZIP code, price range and working hours',
    'Text message to the agent, record in the CRM, time of the first call measured',
    'An alarm when a source has been silent for 15 minutes',
  ],
  technologies: ['Python', 'Playwright', 'PostgreSQL', 'PostGIS', 'Redis', 'Twilio', 'HubSpot API'],
  timeline: {
    total,
    phases: [
      { when: 'Week 1', what: 'Sources listed, their terms read, reading rates agreed' },
      { when: 'Weeks 2-3', what: 'Readers and address matching' },
      { when: 'Week 4', what: 'County records, rules of assignment' },
      { when: 'Week 5', what: 'Trial with six agents' },
      { when: 'Week 6', what: 'All 40 agents, handover and training' },
    ],
  },
  results: [
    {
      value: reach,
      metric: 'from listing to agent',
      description: `Leads are found within ${reach} of going public. Before, it took between 4 hours and a day.`,
    },
    {
      value: '25%',
      metric: 'conversion increase',
      description: 'More leads became a signed listing, first quarter with the system against the quarter before.',
    },
    { value: total, metric: 'implementation', description: 'From the first call to all 40 agents.' },
  ],
  chart: {
    kind: 'stages',
    title: `Where the ${reach} go`,
    caption:
      'The longest that each step may take. County records take most of it: without them a lead would be out in 4 minutes and 10 seconds.',
    stages: [
      { label: 'Source is read', seconds: 120 },
      { label: 'Copies merged', seconds: 40 },
      { label: 'County records added', seconds: 170 },
      { label: 'Agent chosen', seconds: 30 },
      { label: 'Text message arrives', seconds: 60 },
    ],
  },
} as const satisfies CaseStudy
