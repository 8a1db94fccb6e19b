package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

type session struct {
	state, nonce, verifier string
	id, username, idToken  string
	ends                   time.Time
}

var (
	here = env("APP_URL", "https://app.example.com")
	// In memory: give it a store before you run two of these, or restart one.
	sessions = map[string]session{}
	lock     sync.Mutex
)

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

// store keeps a session under a new name, so that one which somebody planted before is not signed in.
func store(w http.ResponseWriter, s session, lasts time.Duration) {
	name := rand.Text()
	s.ends = time.Now().Add(lasts)
	lock.Lock()
	sessions[name] = s
	lock.Unlock()
	secure := strings.HasPrefix(here, "https:")
	http.SetCookie(w, &http.Cookie{Name: "app", Value: name, Path: "/", HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode, MaxAge: int(lasts.Seconds())})
}

// take returns the session of a request, and removes it if it is asked to.
func take(r *http.Request, remove bool) session {
	lock.Lock()
	defer lock.Unlock()
	cookie, err := r.Cookie("app")
	if err != nil || time.Now().After(sessions[cookie.Value].ends) {
		return session{}
	}
	found := sessions[cookie.Value]
	if remove {
		delete(sessions, cookie.Value)
	}
	return found
}

func main() {
	provider, err := oidc.NewProvider(context.Background(), env("LATCHKEY_ISSUER", "https://id.example.com"))
	if err != nil {
		log.Fatal(err)
	}
	var metadata struct {
		End string `json:"end_session_endpoint"`
	}
	if err := provider.Claims(&metadata); err != nil {
		log.Fatal(err)
	}
	client := oauth2.Config{
		ClientID:     os.Getenv("LATCHKEY_CLIENT_ID"),
		ClientSecret: os.Getenv("LATCHKEY_CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  here + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: client.ClientID})

	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if s := take(r, false); s.id != "" {
			fmt.Fprintf(w, `Signed in as %s <form method="post" action="/sign-out"><button>Sign out</button></form>`, s.username)
		} else {
			fmt.Fprint(w, `<a href="/sign-in">Sign in</a>`)
		}
	})
	mux.HandleFunc("GET /sign-in", func(w http.ResponseWriter, r *http.Request) {
		s := session{state: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier()}
		store(w, s, 10*time.Minute)
		http.Redirect(w, r, client.AuthCodeURL(s.state, oidc.Nonce(s.nonce), oauth2.S256ChallengeOption(s.verifier)), http.StatusFound)
	})
	mux.HandleFunc("GET /callback", func(w http.ResponseWriter, r *http.Request) {
		s := take(r, true)
		// Without a state, the answer is to a question that this browser did not ask.
		if s.state == "" || r.FormValue("state") != s.state {
			http.Error(w, "This sign-in is over, or began in another browser.", http.StatusBadRequest)
			return
		}
		tokens, err := client.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(s.verifier))
		if err != nil {
			// Whoever presses Cancel comes back without a code.
			http.Redirect(w, r, "/", http.StatusFound)
			return
		}
		raw, _ := tokens.Extra("id_token").(string)
		idToken, err := verifier.Verify(r.Context(), raw)
		var claims struct {
			Username string `json:"preferred_username"`
		}
		if err != nil || idToken.Nonce != s.nonce || idToken.Claims(&claims) != nil {
			http.Error(w, "The sign-in failed.", http.StatusBadRequest)
			return
		}
		store(w, session{id: idToken.Subject, username: claims.Username, idToken: raw}, 12*time.Hour)
		http.Redirect(w, r, "/", http.StatusFound)
	})
	mux.HandleFunc("POST /sign-out", func(w http.ResponseWriter, r *http.Request) {
		s := take(r, true)
		query := url.Values{"id_token_hint": {s.idToken}, "post_logout_redirect_uri": {here + "/"}}
		if s.id == "" {
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		http.Redirect(w, r, metadata.End+"?"+query.Encode(), http.StatusSeeOther)
	})
	// Refuses forms of other sites, which would sign people out.
	log.Fatal(http.ListenAndServe(env("LISTEN", "127.0.0.1:8080"), http.NewCrossOriginProtection().Handler(mux)))
}
