/**
 * The function in `window` to which a conversion is reported before an enquiry is sent, if you have defined it. Separate from identity.ts,
 * because the forms' script includes it.
 */
export const conversionFunction = 'gtag_report_conversion'
