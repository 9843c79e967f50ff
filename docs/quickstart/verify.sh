curl --silent --show-error --max-time 35 "$CROSSVAT_URL/v1/verify-vat" \
  --header "Authorization: Bearer $CROSSVAT_KEY" \
  --header "Content-Type: application/json" \
  --data '{"vatNumbers": ["GB999910095", "de 999 991 005", "FR76999992001"]}'
