/** Settings of a server that queues mail, for tests in which no job sends it. */
export const MAIL_SETTINGS = {
  SMTP_URL: 'smtp://localhost:9',
  MAIL_FROM: 'pay@checkstand.test',
}
