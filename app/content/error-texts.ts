type ErrorText = { readonly title: string; readonly text: string }

/** The text of the 404 page. */
export const nothingHere = 'There is nothing at this address.'

/** The text for each status. The server's own text goes before `text`. */
export const errorTexts: Readonly<Record<number, ErrorText>> = {
  400: { title: 'That request was not understood', text: 'Go back and try again. If it happens again, contact us.' },
  401: { title: 'Please sign in', text: 'You need an account to see this page.' },
  403: { title: 'You don’t have access', text: 'Your account doesn’t have permission for this. The site’s owner can change that.' },
  404: {
    title: '404 Page Not Found',
    text: `${nothingHere} The page may have moved, or the link may contain a typo.`,
  },
  410: { title: 'This page is gone', text: 'It was permanently removed.' },
  413: { title: 'That was too large', text: 'Send less at once, or send us a link to the file.' },
  429: { title: 'Too many requests', text: 'Wait a minute, then load the page again.' },
  503: { title: 'Back in a moment', text: 'The service is busy or being updated. Load the page again in a minute.' },
}

/** For unexpected errors. */
export const ourMistake: ErrorText = {
  title: 'Something went wrong on our side',
  text: 'We’ve recorded the error. Nothing you sent before was lost.',
}
