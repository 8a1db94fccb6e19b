package notes;

import static org.springframework.security.config.Customizer.withDefaults;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Notes {
  public static void main(String[] args) {
    SpringApplication.run(Notes.class, args);
  }

  @Bean
  SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
    // Signs out at Latchkey, too, and comes back.
    var logout = new OidcClientInitiatedLogoutSuccessHandler(clients);
    logout.setPostLogoutRedirectUri("{baseUrl}/bye");
    return http
        .authorizeHttpRequests(x -> x.requestMatchers("/bye").permitAll().anyRequest().authenticated())
        .oauth2Login(withDefaults())
        // Ends the session here when it ends at Latchkey.
        .oidcLogout(x -> x.backChannel(withDefaults()))
        .logout(x -> x.logoutSuccessHandler(logout))
        .build();
  }

  @GetMapping("/")
  Map<String, Object> home(@AuthenticationPrincipal OidcUser user) {
    var groups = user.getClaimAsStringList("groups");
    return Map.of("id", user.getSubject(), "username", user.getPreferredUsername(), "groups", groups);
  }

  @GetMapping("/bye")
  String bye() {
    return "Signed out.";
  }
}
