import { terms } from './terms.ts'

/** The text after a call is booked. */
export const booking = {
  title: 'Your Strategy Call is Confirmed!',
  text: `Thank you. We have reserved ${terms.call} for you. The exact time is in the calendar invitation, which is on its way to your inbox.`,
  next: {
    title: 'What happens next',
    steps: [
      {
        title: 'Within a few minutes',
        text: 'A calendar invitation arrives by email, with the link to the call. Check your spam folder if it does not.',
      },
      { title: 'Before the call', text: 'We read what you wrote and open the sites you named, so that the call starts with answers.' },
      {
        title: `Within ${terms.proposal} of the call`,
        text: 'You receive a proposal: scope, fixed price and date. It costs nothing and commits you to nothing.',
      },
    ],
  },
  covered: {
    title: 'What will be covered',
    items: [
      'The decision you want to make, and the data it needs',
      'Which sources have it, and whether they can be read lawfully',
      'Format, schedule and where the rows should arrive',
      'Price and date, or an honest no',
    ],
  },
  preparation: {
    title: 'How to prepare',
    items: [
      'Have two or three of the pages at hand',
      'Sketch the table you want: one example row is enough',
      'Note how often it must be fresh, and the day you first need it',
      'Bring the person who will work with the data, if that is not you',
    ],
  },
  email: 'Anything to send us before the call, or do you need a different time?',
  home: 'Return to Homepage',
} as const
