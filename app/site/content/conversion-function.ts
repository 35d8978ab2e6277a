/**
 * The function in `window` that a conversion is reported to before an enquiry is sent, when something of yours has defined it. Apart from identity.ts,
 * because the forms carry it.
 */
export const conversionFunction = 'gtag_report_conversion'
