-- Written by hand after the models of Hanko's backend, which is in Go; bcrypt by bcryptjs.
CREATE TABLE users (id uuid PRIMARY KEY, created_at timestamp NOT NULL, updated_at timestamp NOT NULL);
CREATE TABLE emails (id uuid PRIMARY KEY, user_id uuid REFERENCES users, address text NOT NULL, verified boolean NOT NULL);
CREATE TABLE primary_emails (id uuid PRIMARY KEY, email_id uuid NOT NULL REFERENCES emails, user_id uuid NOT NULL REFERENCES users);
CREATE TABLE usernames (id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, username text NOT NULL);
CREATE TABLE password_credentials (id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, password text NOT NULL);
CREATE TABLE webauthn_credential_user_handles (id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, handle text NOT NULL);
CREATE TABLE webauthn_credentials (id text PRIMARY KEY, name text, user_id uuid NOT NULL REFERENCES users, public_key text NOT NULL, attestation_type text NOT NULL, aaguid uuid NOT NULL, sign_count integer NOT NULL, last_used_at timestamp, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, backup_eligible boolean NOT NULL, backup_state boolean NOT NULL, mfa_only boolean NOT NULL, user_handle_id uuid REFERENCES webauthn_credential_user_handles);
CREATE TABLE webauthn_credential_transports (id uuid PRIMARY KEY, name text NOT NULL, webauthn_credential_id text NOT NULL REFERENCES webauthn_credentials);
INSERT INTO users VALUES ('6f1c2a3e-5b7d-4c9a-8e0f-1a2b3c4d5e6f', '2024-05-06 07:08:09', '2024-05-06 07:08:09');
INSERT INTO emails VALUES ('00000000-0000-4000-8000-000000000001', '6f1c2a3e-5b7d-4c9a-8e0f-1a2b3c4d5e6f', 'hal@hanko.example', true);
INSERT INTO primary_emails VALUES ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', '6f1c2a3e-5b7d-4c9a-8e0f-1a2b3c4d5e6f');
INSERT INTO password_credentials VALUES ('00000000-0000-4000-8000-000000000003', '6f1c2a3e-5b7d-4c9a-8e0f-1a2b3c4d5e6f', '$2b$12$qctEk/NeyqjGSBcZWfPGXuPbl4clTqGVP2cSLBNL77gDHrqgfczoS');
INSERT INTO webauthn_credentials VALUES ('8OwNpXP91SDiUr-D07m96PIBL4p8prGMn-QWc8PRzlk', 'Phone', '6f1c2a3e-5b7d-4c9a-8e0f-1a2b3c4d5e6f', 'pQECAyYgASFYILDvvr31szhvmfNaEeBBvQ5-jXSXGPfBe1xsnX5oxc12IlggYPhOasAKdv5FdKPnL91YOlIgzv5n6uQr_F_V1JTq2C4', 'none', '00000000-0000-0000-0000-000000000000', 0, NULL, '2024-05-06 07:08:10', '2024-05-06 07:08:10', true, true, false, NULL);
INSERT INTO webauthn_credential_transports VALUES ('00000000-0000-4000-8000-000000000004', 'internal', '8OwNpXP91SDiUr-D07m96PIBL4p8prGMn-QWc8PRzlk');
