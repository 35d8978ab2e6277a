import type { CaseStudy } from './case-study.ts'

export const ppcOutreach = {
  slug: 'ppc-agency-outreach-automation',
  category: 'PPC agency outreach automation',
  inShort: 'agency outreach',
  title: 'Three days of prospecting, done by Monday at nine',
  summary: 'An ad agency searched by hand for companies with ads that lead to broken pages. Now the list is ready every Monday.',
  industry: 'Advertising',
  client: 'A pay-per-click agency with 12 people in the Midwest',
  text: `### Challenge

The agency wins clients by showing them a problem with their own ads. Typical ones are a slow landing page, a broken conversion tag, or a link to a 404. Finding these companies took two people three days a week.

They spent the rest of the week emailing them. Half of the emails bounced, and good findings were a week old on arrival.

### Solution

Every weekend the system reads public ad libraries and search results for the agency’s trades and towns. It opens each landing page as a visitor would and tests it for 11 problems.

The list includes only companies of the right size. The system finds and verifies their public contact. It drafts a first message about the problem, with a screenshot. A person reads every message before it is sent.

### Implementation

- Advertisers collected from public ad libraries and search results in 14 trades
- Landing pages opened and timed in a real browser, with 11 tests
- Existing clients, past refusals and opt-outs removed first
- Business email addresses verified without sending a message
- Drafts with a screenshot of the problem, approved one by one
- Opt-out honored within a minute, across all senders`,
  technologies: ['Python', 'Playwright', 'Lighthouse', 'PostgreSQL', 'Pipedrive API', 'Metabase'],
  timeline: {
    total: '5 weeks',
    phases: [
      { when: 'Week 1', what: 'Problems defined with the account managers' },
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
    { value: '18%', metric: 'of messages answered', description: '74 replies to 410 messages in the first full month.' },
    {
      value: '19',
      metric: 'calls booked a month',
      description: 'With companies that already buy ads and have seen the problem.',
    },
  ],
  chart: {
    kind: 'funnel',
    title: 'One month, from advertisers to calls',
    caption: 'The area of each square shows its count. One in 95 advertisers books a call.',
    steps: [
      { label: 'Advertisers found', count: 1800 },
      { label: 'Right size, with a problem', count: 640 },
      { label: 'Contacted', count: 410 },
      { label: 'Replied', count: 74 },
      { label: 'Calls booked', count: 19 },
    ],
  },
} as const satisfies CaseStudy
