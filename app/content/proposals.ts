import { liveContent } from './settings/live.ts'

/** The defaults of a new proposal. */
type ProposalDefaults = { readonly terms: string; readonly version: string; readonly deposit: number; readonly validDays: number }

const defaults: ProposalDefaults = {
  version: '2026-11',
  /** In percent of the amount with tax. */
  deposit: 50,
  validDays: 14,
  terms: `1. What we do. We deliver what the lines of this proposal say, to the dates in it. Anything else is a new proposal.

2. What you do. You give us what this proposal asks you for, in time. Dates move by as many days as it comes late.

3. Price and payment. Prices are before tax; the tax that applies is added. The deposit is due when you accept, and work begins when it is paid. The rest is due at delivery.

4. The deposit. Unless agreed otherwise, the deposit is not refundable once work has begun. If we cannot deliver, you get it back.

5. Corrections. What does not match this proposal we correct free of charge for 30 days after delivery.

6. Rights. After the final payment, the delivered data and code are yours to use. Data that we read from public sources stays subject to the rights of others.

7. Confidentiality. Neither of us passes on what the other marks as confidential.

8. Liability. Each of us is liable for intent and gross negligence without limit, else up to the amount of this proposal.

9. Law. The law and courts named in our terms of service apply.`,
}

export const proposalDefaults = liveContent('proposals', defaults, (saved): ProposalDefaults => saved)

/** The texts of the client's page of a proposal. */
export const proposalPageTexts = {
  eyebrow: 'Proposal',
  preview: 'Preview. The client cannot see it before you send it.',
  reference: (reference: string, number: number) => `${reference}, version ${number}`,
  missing: {
    title: 'This link doesn’t work',
    text: 'This link doesn’t lead to a proposal. Use the one in our latest email, or write to us.',
    write: 'Write to us',
  },
  states: {
    accepted: 'This proposal is accepted.',
    declined: 'This proposal was declined. Tell us if you changed your mind: we send a new version.',
    expired: 'This proposal has expired. Write to us, and we send a new version.',
    withdrawn: 'We have withdrawn this proposal. Nothing can be accepted here.',
    replaced: 'There is a newer version of this proposal. Nothing can be accepted here.',
  },
  /** In place of the above, where the same person got a newer version. */
  hasNewer: {
    declined: 'This proposal was declined. There is a newer version.',
    expired: 'This proposal has expired. There is a newer version.',
  },
  newer: 'Open the newer version',
  /** Above what was typed into a page that was open until the proposal ended. */
  unsent: 'This was not sent. You can email it to us instead:',
  validUntil: 'Valid until',
  from: 'From',
  forWhom: 'For',
  lines: {
    title: 'What you get',
    optional: 'Optional',
    choose: (title: string) => `Include ${title}`,
    each: 'each',
    discount: 'discount',
    update: 'Update total',
    updateHint: 'Choose what you want, then update the total.',
    quantity: 'Quantity',
    quantityOf: (title: string) => `Quantity of ${title}`,
    range: (least: string, most: string) => `From ${least} to ${most}, as you like.`,
    wrongQuantity: (isWhole: boolean, [least, most]: readonly [string, string]) =>
      isWhole ? `Enter a whole number from ${least} to ${most}.` : `Enter a quantity from ${least} to ${most}.`,
    notTaken: 'Not chosen',
  },
  totals: {
    net: 'Total before tax',
    discount: (share: string) => (share ? `Discount, ${share}` : 'Discount'),
    taxLater: 'Tax depends on your company’s country. You see it before you sign.',
    tax: 'Tax',
    gross: 'Total',
    deposit: 'Deposit',
    ofGross: (share: string) => `${share} of the total with tax`,
    due: 'Due when you accept. Work begins when it is paid.',
    nonRefundable: 'Not refundable unless agreed otherwise.',
    refundable: 'Refundable until work begins.',
  },
  dates: { title: 'Dates', starts: 'Work begins', delivers: 'Delivery', none: 'We agree on dates after you accept.' },
  needs: { title: 'What we need from you' },
  terms: { title: 'Terms', version: 'Version' },
  questions: {
    ask: 'Ask about this line',
    askAll: 'Ask about the proposal',
    all: 'Questions about the proposal',
    label: 'Your question',
    submit: 'Send question',
    asked: 'Your question was sent. We answer here and by email.',
    empty: 'Write your question first.',
    long: 'A question has at most 2,000 characters.',
    full: 'This proposal has no room for more questions. Write to us instead.',
    you: 'You asked',
    we: 'Our answer',
    open: 'Not answered yet',
  },
  accept: {
    title: 'Accept and sign',
    intro: 'By signing you order the lines above on the terms above. We email you a code first, so that only you can sign.',
    company: 'Company',
    companyHint: 'Its legal name. The invoice goes to it.',
    known: (name: string) => `You sign for ${name}.`,
    country: 'Country',
    chooseCountry: 'Choose a country',
    vat: 'VAT number',
    vatHint: 'With its country, such as DE123456789.',
    business: 'I order for a business',
    name: 'Your name',
    nameHint: 'First and last name, as you sign.',
    sendCode: 'Email me a code',
    codeTo: (address: string) =>
      `The code goes to ${address}, which got this proposal. If someone else signs for your company, write to us.`,
    codeToYou: (address: string) => `The code goes to ${address}, the address of your account.`,
    sent: (address: string) => `We emailed a code to ${address}. It works once, for 10 minutes.`,
    sentAgain: (address: string) => `We emailed another code to ${address}. The earlier code no longer works.`,
    code: 'Code from the email',
    again: 'Send another code',
    consent: 'I agree to sign electronically, and I have read this proposal and its terms.',
    authority: 'I may sign for this company.',
    sign: 'Sign and accept',
    changed: 'Change company or name',
  },
  errors: {
    company: 'Enter the name of your company.',
    companyLong: 'A company name has at most 120 characters.',
    country: 'Choose a country.',
    vat: 'A VAT number begins with its country, such as DE123456789.',
    business: 'We sell to businesses only. Confirm that you order for one.',
    name: 'Enter your first and last name.',
    codeMissing: 'Enter the digits of the code from the newest email.',
    code: 'This code is wrong. Check the newest email, or ask for another code.',
    codeOld: 'This code has expired. Ask for another one.',
    codeTries: 'Too many wrong codes were entered, so this one no longer works. Ask for another one.',
    consent: 'Agree to sign electronically, or write to us to sign in another way.',
    authority: 'Confirm that you may sign for this company.',
    noCode: 'Ask for a code first.',
    changed: 'What you accept has changed since the code was sent. Ask for another code.',
    withheld: 'Too many emails went to this address. Try again in an hour.',
    reason: 'A reason has at most 1,000 characters.',
    staff: 'Staff do not accept for a client.',
  },
  decline: {
    summary: 'Decline this proposal',
    label: 'Why? It helps us to make a better one.',
    confirm: 'Decline',
  },
  signed: {
    title: 'Signed',
    by: 'Signed by',
    on: 'on',
    counter: 'Countersigned by',
    waitsForCounter: 'We countersign next.',
    file: 'Download the signed proposal (PDF)',
    signature: 'Download our digital signature (JWS)',
    verify: 'Check a signed file',
    making: 'The signed file is being made. Reload this page in a minute.',
    payments: 'Payments',
    pay: (amount: string) => `Pay ${amount}`,
    final: 'Final payment',
    orderStates: {
      open: 'due by the date on the invoice',
      processing: 'on its way',
      paid: 'paid, thank you',
      failed: 'failed',
      expired: 'expired',
      cancelled: 'cancelled',
    },
  },
  write: { title: 'Rather talk about it?', text: 'Quote the number of the proposal:', link: 'Write to us' },
} as const

/** The texts of the page that checks signed files. */
export const verifyTexts = {
  title: 'Check a signed proposal',
  intro: 'Every proposal that is signed here is a PDF with a digital signature of ours. Check whether a file is genuine and unchanged.',
  file: {
    title: 'Check a file',
    label: 'Signed PDF',
    submit: 'Check the file',
    hint: 'We compare its fingerprint and keep nothing. At most 20 MB.',
  },
  paste: {
    title: 'Check a fingerprint',
    hash: 'SHA-256 of the file',
    hashHint: '64 characters, such as a checksum program shows.',
    jws: 'Signature (JWS)',
    jwsHint: 'The text of the signature file. Without it, we look for the fingerprint among the files that we have signed.',
    submit: 'Check the fingerprint',
  },
  results: {
    genuine: 'Genuine',
    genuineText: 'We signed exactly this file.',
    unknown: 'Not genuine',
    unknownText: 'We have not signed a file with this fingerprint. It was changed, or it is not from us.',
    badSignature: 'Not genuine',
    badSignatureText: 'The signature does not belong to this fingerprint, or it is not ours.',
    badHash: 'A fingerprint has 64 characters of 0 to 9 and a to f.',
    noFile: 'Choose a file first.',
    large: 'The file is larger than 20 MB.',
    often: 'That was too often. Try again in 10 minutes.',
  },
  facts: { proposal: 'Proposal', signed: 'Signed on', counter: 'Countersigned', yes: 'Yes', no: 'Not yet', key: 'Our public key' },
} as const
