import type { CaseStudy } from './case-study.ts'

export const ppcOutreach = {
  slug: 'ppc-agency-outreach-automation',
  category: 'PPC agency outreach automation',
  title: 'Three days of prospecting, done by Monday at nine',
  summary:
    'An advertising agency searched by hand for companies whose ads lead to broken pages. Now the list is ready when the week begins.',
  industry: 'Advertising',
  client: 'A pay-per-click agency with 12 people in the Midwest',
  challenge: [
    'The agency wins clients by showing them a fault in their own advertising: a slow landing page, a conversion tag that does not fire, an ad that leads to a 404. Finding these companies took two people three days a week.',
    'The rest of the week was left for writing to them. Half of the addresses bounced, and the good findings were a week old when they arrived.',
  ],
  solution: [
    'Every weekend the system reads public ad libraries and search results for the agency’s trades and towns, opens each landing page as a visitor would and tests it for eleven faults.',
    'Companies of the right size stay on the list. Their public contact is looked up and tested. A first message is drafted around the fault that was found, with a picture of it. A person reads every message before it is sent.',
  ],
  implementation: [
    'Advertisers collected from public ad libraries and search results in 14 trades',
    'Landing pages opened and timed in a real browser, eleven faults tested',
    'Existing clients, past refusals and opt-outs removed first',
    'Business addresses tested for delivery without sending a message',
    'Drafts with a screenshot of the fault, approved one by one',
    'Opt-out honored within a minute, across all senders',
  ],
  technologies: ['Python', 'Playwright', 'Lighthouse', 'PostgreSQL', 'Pipedrive API', 'Metabase'],
  timeline: {
    total: '5 weeks',
    phases: [
      { when: 'Week 1', what: 'Faults defined with the account managers' },
      { when: 'Weeks 2-3', what: 'Advertisers, landing pages, tests' },
      { when: 'Week 4', what: 'Contacts, drafts, opt-out' },
      { when: 'Week 5', what: 'Trial in 2 trades, then all 14' },
    ],
  },
  results: [
    {
      value: '2 hours',
      metric: 'of prospecting a week',
      description: 'Two people took three days each. One person now reads and approves the drafts.',
    },
    { value: '18%', metric: 'of messages answered', description: '74 answers to 410 messages in the first full month.' },
    {
      value: '19',
      metric: 'calls booked a month',
      description: 'With companies that already spend on advertising and have seen the fault.',
    },
  ],
  chart: {
    kind: 'funnel',
    title: 'One month, from advertisers to calls',
    caption: 'The area of each square is its count. Of every 95 advertisers read, one ends in a call.',
    steps: [
      { label: 'Advertisers read', count: 1800 },
      { label: 'A fault, and the right size', count: 640 },
      { label: 'Written to', count: 410 },
      { label: 'Answered', count: 74 },
      { label: 'Calls booked', count: 19 },
    ],
  },
} as const satisfies CaseStudy
