/** The texts of the public catalog of datasets around its cards. */
export const catalogWords = {
  title: 'Datasets',
  eyebrow: 'Data catalog',
  introduction: 'Ready-made data as files and as an API. Look at the columns and first rows, then download or query.',
  search: { label: 'Search datasets', placeholder: 'prices, leads, cities …', sort: 'Sort by', send: 'Search' },
  categories: 'Categories',
  allCategories: 'All',
  download: 'Download',
  requestAccess: 'Request access',
  buy: 'Buy',
  api: 'API',
  preparing: 'First version in preparation',
  facts: { rows: 'Rows', columns: 'Columns', updated: 'Updated' },
  empty: { title: 'No datasets yet', text: 'We’re preparing the first datasets. They’ll appear here.' },
  nothingFound: { title: 'Nothing found', text: 'No datasets match. Try fewer words.', all: 'All datasets' },
  pages: { label: 'Pages', previous: 'Previous datasets', next: 'More datasets' },
  closing: {
    title: 'Need data that isn’t here?',
    text: 'Tell us which sites and which fields. You get a fixed price before work starts.',
    ways: [
      { to: '/contact', label: 'Get Your Free Data Extraction Quote' },
      { to: '/developers', label: 'Read the API docs' },
    ],
  },
} as const
