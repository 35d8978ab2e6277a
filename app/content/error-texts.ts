type ErrorText = { readonly title: string; readonly text: string }

/** The text of the 404 page. */
export const nothingHere = 'There is nothing at this address.'

/** The text for each status. The server's own text goes before `text`. */
export const errorTexts: Readonly<Record<number, ErrorText>> = {
  400: { title: 'That request was not understood', text: 'Go back and try it once more. If it happens again, write to us.' },
  401: { title: 'Please sign in', text: 'This page is for people with an account.' },
  403: { title: 'This is not open to you', text: 'Your account does not reach this far. Whoever runs it can change that.' },
  404: {
    title: '404 Page Not Found',
    text: `${nothingHere} The page may have moved, or the link may contain a typo.`,
  },
  410: { title: 'This page is gone', text: 'It was here once and has been taken down for good.' },
  413: { title: 'That was too large', text: 'Send less at once, or send us a link to the file.' },
  429: { title: 'Too many requests', text: 'Wait a minute, then load the page again.' },
  503: { title: 'Back in a moment', text: 'The service is busy or being updated. Load the page again in a minute.' },
}

/** For unexpected errors. */
export const ourMistake: ErrorText = {
  title: 'Something went wrong on our side',
  text: 'The error has been recorded. Nothing that you sent before was lost.',
}
