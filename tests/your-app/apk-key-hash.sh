fingerprint=93:3F:6A:A8:50:57:59:A0:6B:57:D6:5E:21:B9:A0:5A:0E:10:81:14:1F:DD:B6:D5:18:BD:DC:30:E4:F2:12:1B
node -p "'android:apk-key-hash:' + Buffer.from('$fingerprint'.replaceAll(':', ''), 'hex').toString('base64url')"
