// Opens a checkout by hand and says what happens in it. What it hears is for the payer's eyes only:
// whether the order is paid, the shop's server asks Checkstand.
const button = document.querySelector('#pay')
const news = document.querySelector('#news')

button.addEventListener('click', () => {
  // Should the script not have come, the payment page itself still does.
  if (!window.Checkstand) return location.assign(button.dataset.url)
  Checkstand.open(
    {
      link: button.dataset.url,
      onComplete: ({ detail }) => {
        button.hidden = true
        news.textContent = detail.status === 'COMPLETED' ? 'Paid. Thank you!' : 'On its way.'
      },
      onError: ({ detail }) => {
        news.textContent = `This did not work: ${detail.code}`
      },
    },
    button,
  )
})
